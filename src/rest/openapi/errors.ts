import { ERRORS, type ErrorCode, type ErrorDetail } from "../../core/kernel/error.ts";
import type { Route } from "../routes.ts";

/** What each code means to a caller (service.md §7). */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  missing_credentials: "The request has no `Authorization: Bearer` header.",
  invalid_credentials: "The key is malformed, or not an active one.",
  revoked_credentials: "The key was revoked. Create a new one.",
  feature_unavailable: "The workspace's plan has no API access.",
  permission_denied: "The key's permission does not allow the operation. Use an `admin` key.",
  not_found: "The workspace has no such record, and ids of other workspaces look the same; or the path does not exist.",
  invalid_cursor: "The cursor is malformed or was issued for another query. Restart without one.",
  validation_failed:
    "A field or parameter is missing, malformed, repeated or unknown: `details` names each. Without `details`, and with status 421, the request came under another host than the service's.",
  conflict:
    "The state does not allow it now, or something is under way: an identical request, or a sync of the connection, whose run `details` names: follow that.",
  idempotency_key_required: "The operation needs an `Idempotency-Key` of 1 to 255 printable ASCII characters.",
  idempotency_conflict:
    "A request with the key and a different body, or on another operation, was carried out or may have been. Use a fresh key.",
  rate_limit_exceeded: "Wait the seconds of `Retry-After`.",
  payload_too_large: "The body is over 64 KiB.",
  method_not_allowed: "The path exists, but not with this method.",
  installment_not_collectible:
    "The installment cannot be collected now: `not_collectible_reason` of the invoice's installments says why.",
  amount_exceeds_available:
    "The amount is more than is available of the installment: `available_amount` says how much is. Where live links leave nothing, it is a `conflict`.",
  sync_disabled: "Sync is switched off for the connection. Retrying does not help.",
  connection_disconnected: "The connection is disconnected and holds no credential.",
  integration_unavailable: "No connected payments integration can mint the link.",
  currency_not_supported: "The payment provider cannot collect the invoice's currency.",
  internal_error: "Unexpected. Safe to retry, with the same `Idempotency-Key` where there is one.",
};

const COMMON: readonly ErrorCode[] = [
  "validation_failed",
  "missing_credentials",
  "invalid_credentials",
  "revoked_credentials",
  "feature_unavailable",
  "method_not_allowed",
  "rate_limit_exceeded",
  "internal_error",
];

/** The error codes of a route, by status; 415 and 421 have the code of other malformed requests. */
function errorsOf({ method, path, operation }: Route) {
  const codes: ErrorCode[] = [
    ...COMMON,
    ...(operation.permission === "admin" ? (["permission_denied"] as const) : []),
    // A list filtered by an unknown id is empty, not `not_found`.
    ...(method === "POST" || path.includes("{") ? (["not_found"] as const) : []),
    ...("cursor" in operation.input.shape ? (["invalid_cursor"] as const) : []),
    ...(operation.idempotency ? (["idempotency_key_required", "idempotency_conflict", "conflict"] as const) : []),
    ...(method === "GET" ? [] : (["payload_too_large"] as const)),
    ...(operation.errors ?? []),
  ];
  return byStatus(codes, method !== "GET");
}

function byStatus(codes: readonly ErrorCode[], hasBody: boolean) {
  const found = new Map<number, ErrorCode[]>(Map.groupBy(new Set(codes), (code) => ERRORS[code].http));
  if (hasBody) found.set(415, ["validation_failed"]);
  found.set(421, ["validation_failed"]);
  return new Map([...found].sort(([a], [b]) => a - b));
}

/** What responses are called, by status: not by their codes, of which there will be more. */
const RESPONSES: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  421: "MisdirectedRequest",
  422: "Unprocessable",
  429: "TooManyRequests",
  500: "InternalError",
};

function nameOf(status: number) {
  const name = RESPONSES[status];
  if (name === undefined) throw new Error(`responses of status ${status} have no name`);
  return name;
}

const ALL = byStatus(
  Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS),
  true,
);

/** The responses of the description that are failures: one for each status, with all of its codes. */
export function errorResponses(): Record<string, object> {
  return {
    ...Object.fromEntries([...ALL].map(([status, codes]) => [nameOf(status), errorResponse(status, codes)])),
    Failure: {
      description:
        "Any other failure. From 500 on it may be tried again, after `Retry-After` where that stands; below it is final.",
      headers: { ...COMMON_HEADERS, ...reference("Retry-After") },
      content: { "application/json": { schema: ERROR } },
    },
  };
}

/** A route's failures by status, and any other; where it has fewer codes than the status, its own stand beside the reference. */
export function errorReferences(route: Route): Record<string, object> {
  const to = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const own = [...errorsOf(route)].map(([status, codes]): [number, object] => {
    const hasAll = ALL.get(status)?.length === codes.length;
    return [status, { ...to(nameOf(status)), ...(hasAll ? {} : { description: wordsOf(status, codes, route) }) }];
  });
  return { ...Object.fromEntries(own), default: to("Failure") };
}

/** What a code means with a status that is not its usual one. */
const UNUSUAL: Readonly<Record<number, string>> = {
  415: "The body is not `application/json` in UTF-8.",
  421: "The request came under another host than the service's. It is counted for nobody, and has no `RateLimit-*`.",
};
const meaningOf = (status: number, code: ErrorCode) => UNUSUAL[status] ?? MEANINGS[code];

/** What a route adds to a code: aging's cursors end with the report. */
const addedBy = ({ operation }: Route, code: ErrorCode): string =>
  code === "invalid_cursor" && "revision" in operation.output.shape
    ? " So it is once the report or `limit` changed."
    : "";

function wordsOf(status: number, codes: readonly ErrorCode[], route?: Route): string {
  const advice = (code: ErrorCode): string => {
    if (code === "conflict") return " Retry only where the answer has `Retry-After`.";
    return ERRORS[code].retry ? " May be retried." : "";
  };
  return codes
    .map((code) => `\`${code}\`: ${meaningOf(status, code)}${route ? addedBy(route, code) : ""}${advice(code)}`)
    .join("\n\n");
}

/** Headers that say more, by the statuses that can have them; 500 says when to try again while the database cannot be reached. */
const MORE_HEADERS: Readonly<Record<number, keyof typeof HEADERS>> = {
  401: "WWW-Authenticate",
  405: "Allow",
  409: "Retry-After",
  429: "Retry-After",
  500: "Retry-After",
};

/** One response of the description: its codes in words, and an example of each. */
function errorResponse(status: number, codes: readonly ErrorCode[]): object {
  const more = MORE_HEADERS[status];
  return {
    description: wordsOf(status, codes),
    headers: { ...COMMON_HEADERS, ...(more === undefined ? {} : reference(more)) },
    content: {
      "application/json": {
        schema: ERROR,
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: example(code, meaningOf(status, code), detailOf(status)) }]),
        ),
      },
    },
  };
}

const ERROR = { $ref: "#/components/schemas/ErrorResponse" };

function detailOf(status: number): ErrorDetail | null {
  if (status === 421) return null;
  if (status === 415) return { field: "Content-Type", message: "must be application/json in UTF-8" };
  return { field: "limit", message: "must be at most 100, not 500" };
}

function example(code: ErrorCode, message: string, detail: ErrorDetail | null): object {
  const details = code === "validation_failed" && detail !== null ? { details: [detail] } : {};
  return { error: { code, message, request_id: "3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c", ...details } };
}

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example });
const count = (description: string, example: number) => ({
  description,
  schema: { type: "integer", format: "int32", minimum: 0, maximum: 2 ** 31 - 1 },
  example,
});

/** The headers that responses of any operation can carry. */
export const HEADERS = {
  "X-Request-Id": text(
    "The request's id: your own where you sent a well-formed one.",
    "3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c",
  ),
  "RateLimit-Limit": count(
    "Requests a minute of the limit that is closest to being reached: the key's, or the workspace's.",
    120,
  ),
  "RateLimit-Remaining": count("Requests that are left of that limit until the count starts again.", 117),
  "RateLimit-Reset": count("Seconds until that count starts again and all requests of the limit are free.", 42),
  Allow: text("The methods that the path has, of which one was expected.", "GET, HEAD, OPTIONS"),
  "Retry-After": count(
    "Seconds to wait before coming back: with the same request, or of a sync under way, to its run.",
    42,
  ),
  "WWW-Authenticate": text(
    "How to authenticate, as RFC 6750 has it: the scheme, and what is wrong with the key that was sent.",
    'Bearer realm="api", error="invalid_token"',
  ),
};

/** Carried by answers of one thing, and of aging. */
export const ETAG = text(
  "Names the answer's content: another one once that has changed. Sent back as `If-None-Match`.",
  'W/"q3ZnRrDtn1HHbVCXtCuCeJqI1hPR9tMlwZvQ0cKpV5o"',
);

/** Carried by responses of operations that run once per idempotency key. */
export const REPLAYED = text("`true` when this is the answer of an earlier request with the same key.", "true");

const reference = (name: keyof typeof HEADERS) => ({ [name]: { $ref: `#/components/headers/${name}` } });

/** Carried by every response. */
export const COMMON_HEADERS = {
  ...reference("X-Request-Id"),
  ...reference("RateLimit-Limit"),
  ...reference("RateLimit-Remaining"),
  ...reference("RateLimit-Reset"),
};
