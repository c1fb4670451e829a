import { ERRORS, type ErrorCode, type ErrorDetail } from "../../core/kernel/error.ts";
import type { Route } from "../routes.ts";

/** What each code means to a caller (service.md §7). */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  missing_credentials: "The request has no `Authorization: Bearer` header.",
  invalid_credentials: "The key is malformed, or not an active one.",
  revoked_credentials: "The key was revoked. Create a new one.",
  feature_unavailable: "The workspace's plan has no API access.",
  permission_denied: "The key's permission does not allow the operation. Use an `admin` key.",
  not_found: "The workspace has no such record: ids of other workspaces look the same.",
  invalid_cursor:
    "The cursor is malformed, was issued for another query, or the aging report changed. Restart without one.",
  validation_failed: "A field or parameter is missing, malformed, repeated or unknown; `details` names each.",
  conflict: "The state does not allow it now, or an identical request is in flight.",
  idempotency_key_required: "The operation needs an `Idempotency-Key` of 1 to 255 printable ASCII characters.",
  idempotency_conflict: "The key was used with a different body, or on another operation. Use a fresh one.",
  rate_limit_exceeded: "Wait the seconds of `Retry-After`.",
  payload_too_large: "The body is over 64 KiB.",
  method_not_allowed: "The path exists, but not with this method.",
  installment_not_collectible:
    "The installment cannot be collected now: `not_collectible_reason` of the invoice's installments says why.",
  amount_exceeds_available:
    "The amount is more than is available of the installment: `available_amount` says how much is.",
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
  "rate_limit_exceeded",
  "internal_error",
];

/** The error codes of a route, by status; 415 has the code of other malformed requests. */
export function errorsOf({ method, path, operation }: Route): Map<number, ErrorCode[]> {
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
  const byStatus = new Map<number, ErrorCode[]>(Map.groupBy(new Set(codes), (code) => ERRORS[code].http));
  if (method !== "GET") byStatus.set(415, ["validation_failed"]);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** One response of the description: its codes in words, and an example of each. */
export function errorResponse(status: number, codes: readonly ErrorCode[]): object {
  const meaning = (code: ErrorCode): string =>
    status === 415 ? "The body is not `application/json` in UTF-8." : MEANINGS[code];
  const advice = (code: ErrorCode): string => (ERRORS[code].retry ? " May be retried." : "");
  return {
    description: codes.map((code) => `\`${code}\`: ${meaning(code)}${advice(code)}`).join("\n\n"),
    headers: {
      ...COMMON_HEADERS,
      ...(status === 401 ? { "WWW-Authenticate": { $ref: "#/components/headers/WWW-Authenticate" } } : {}),
      // Only for 500 responses while the database cannot be reached.
      ...(status === 429 || status === 500 || codes.includes("idempotency_conflict")
        ? { "Retry-After": { $ref: "#/components/headers/Retry-After" } }
        : {}),
    },
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: example(code, meaning(code), detailOf(status, codes)) }]),
        ),
      },
    },
  };
}

/** An example fault: lists have `limit`, other reads no parameter, the rest bodies. */
function detailOf(status: number, codes: readonly ErrorCode[]): ErrorDetail {
  if (status === 415) return { field: "Content-Type", message: "must be application/json in UTF-8" };
  if (codes.includes("invalid_cursor")) return { field: "limit", message: "must be at most 100, not 500" };
  if (codes.includes("idempotency_key_required")) return { field: "body", message: "must be a JSON object" };
  return { field: "page", message: "is not a known field: none is taken here" };
}

function example(code: ErrorCode, message: string, detail: ErrorDetail): object {
  const details = code === "validation_failed" ? { details: [detail] } : {};
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
  "Retry-After": count("Seconds to wait before the request is sent again, unchanged.", 42),
  "WWW-Authenticate": text(
    "How to authenticate, as RFC 6750 has it: the scheme, and what is wrong with the key that was sent.",
    'Bearer realm="api", error="invalid_token"',
  ),
};

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
