import { type Outage, outageOf, StoreUnavailable } from "../../store/unavailable.ts";
import { capital, cleanText } from "./text.ts";

/** The closed list of errors a caller can see (service.md §7), with HTTP status and retry advice. */
export const ERRORS = {
  missing_credentials: { http: 401, retry: false },
  invalid_credentials: { http: 401, retry: false },
  revoked_credentials: { http: 401, retry: false },
  feature_unavailable: { http: 403, retry: false },
  permission_denied: { http: 403, retry: false },
  not_found: { http: 404, retry: false },
  invalid_cursor: { http: 400, retry: false },
  validation_failed: { http: 400, retry: false },
  conflict: { http: 409, retry: true },
  idempotency_key_required: { http: 400, retry: false },
  idempotency_conflict: { http: 409, retry: false },
  rate_limit_exceeded: { http: 429, retry: true },
  payload_too_large: { http: 413, retry: false },
  method_not_allowed: { http: 405, retry: false },
  installment_not_collectible: { http: 422, retry: false },
  amount_exceeds_available: { http: 422, retry: false },
  sync_disabled: { http: 422, retry: false },
  connection_disconnected: { http: 422, retry: false },
  integration_unavailable: { http: 422, retry: false },
  currency_not_supported: { http: 422, retry: false },
  internal_error: { http: 500, retry: true },
} as const satisfies Record<string, { http: number; retry: boolean }>;

export type ErrorCode = keyof typeof ERRORS;

/** One invalid input: `field` as a caller wrote it (`links[3].amount_minor`), empty for the whole input. */
export interface ErrorDetail {
  field: string;
  message: string;
  /** In place of `message` where people read it on the page of the thing; callers are not sent it. */
  onPage?: string;
  /** What a page goes by, likewise: more decimals than the currency has; the ERP could not be asked. */
  code?: "decimals" | "not_asked";
  /** Of a range that ends before it begins, the field of its other end, likewise. */
  crosses?: string;
}

/** The error object of service.md §2.9. */
interface WireError {
  error: { code: ErrorCode; message: string; request_id: string; details?: Pick<ErrorDetail, "field" | "message">[] };
}

interface ServiceErrorOptions {
  details?: ErrorDetail[];
  /** As of an {@link ErrorDetail}. */
  onPage?: string;
  /** The message says no more than which fields the details are about. */
  isSummary?: boolean;
  /** Only for the log; may name internals, never secrets. */
  internal?: string;
  cause?: unknown;
  /** Seconds for `Retry-After`: on `rate_limit_exceeded`, for work in flight, while the store is unavailable. */
  retryAfterSeconds?: number;
  /** In place of the code's own HTTP status, such as 415. */
  httpStatus?: number;
  /** The scope whose absence caused a `permission_denied`; the assistant route turns it into a step-up challenge. */
  missingScope?: string;
}

/** The only error that reaches a caller. `message` is public: it never quotes text from outside. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly onPage: string;
  readonly isSummary: boolean;
  readonly internal: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly missingScope: string | undefined;
  readonly httpStatus: number;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.onPage = options.onPage ?? message;
    this.isSummary = options.isSummary ?? false;
    this.internal = options.internal;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.missingScope = options.missingScope;
    this.httpStatus = options.httpStatus ?? ERRORS[code].http;
  }

  /** The object a caller is sent; `requestId` is the one of the response header `X-Request-Id`. */
  toWire(requestId: string): WireError {
    return {
      error: {
        code: this.code,
        message: this.message,
        request_id: requestId,
        ...(this.details && { details: this.details.map(({ field, message }) => ({ field, message })) }),
      },
    };
  }
}

const OUTAGES: Readonly<Record<Outage, string>> = {
  away: "The service cannot reach its database just now. Try again.",
  busy: "The database is too busy to answer in time just now. Try again.",
  full: "The database's disk is full: nothing can be stored until an operator has made room. Try again later.",
  read_only: "The database takes no writes just now. Try again.",
  connections: "The database has no connection free just now. Try again.",
  files: "The database cannot reach its own files until an operator has mended that. Try again later.",
};

/** `error` itself when it is a ServiceError, else an `internal_error` that keeps it as its cause for the log. */
export function asServiceError(error: unknown) {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailable)
    return new ServiceError("internal_error", OUTAGES[outageOf(error)], {
      cause: error,
      retryAfterSeconds: error.retryAfterSeconds,
    });
  return new ServiceError("internal_error", "Unexpected error. Try again.", { cause: error });
}

/** Whether the cause is that the store is unavailable; such errors are logged once per outage, not per request. */
export function isOutage(error: ServiceError) {
  return error.cause instanceof StoreUnavailable;
}

/**
 * The one answer for an id that does not exist or is another tenant's (service.md §1). `which` names it and says how to list
 * what exists; long values are cut.
 */
export function notFound(what: string, which?: string) {
  return new ServiceError(
    "not_found",
    which === undefined ? `No such ${what}.` : `No ${what} ${cleanText(which, 300)}.`,
  );
}

/** What was looked up. Throws `not_found` where nothing was there. */
export function orNotFound<T>(value: T | null | undefined, ...which: Parameters<typeof notFound>): T {
  if (value === undefined || value === null) throw notFound(...which);
  return value;
}

/** A `conflict` about one thing; `words` are given what it is called, by its id for callers, as "this" on its page. */
export function conflictOf(thing: string, id: string, words: (it: string) => string) {
  return new ServiceError("conflict", capital(words(`${thing} ${id}`)), { onPage: capital(words(`this ${thing}`)) });
}

/** The answer for a path that does not exist. */
export function noSuchPath() {
  return new ServiceError("not_found", "No such path: `/docs` lists what there is.");
}
