import { describe, expect, it } from "vitest";
import { asServiceError, conflictOf, ERRORS, notFound, ServiceError } from "../../src/core/kernel/error.ts";

describe("errors", () => {
  it("are a closed list, with status and retry advice [service.7.codes]", () => {
    expect(
      Object.entries(ERRORS).map(([code, { http, retry }]) => `${code} ${http} ${retry ? "retry" : "fix"}`),
    ).toEqual([
      "missing_credentials 401 fix",
      "invalid_credentials 401 fix",
      "revoked_credentials 401 fix",
      "feature_unavailable 403 fix",
      "permission_denied 403 fix",
      "not_found 404 fix",
      "invalid_cursor 400 fix",
      "validation_failed 400 fix",
      "conflict 409 retry",
      "idempotency_key_required 400 fix",
      "idempotency_conflict 409 fix",
      "rate_limit_exceeded 429 retry",
      "payload_too_large 413 fix",
      "method_not_allowed 405 fix",
      "installment_not_collectible 422 fix",
      "amount_exceeds_available 422 fix",
      "sync_disabled 422 fix",
      "connection_disconnected 422 fix",
      "integration_unavailable 422 fix",
      "currency_not_supported 422 fix",
      "internal_error 500 retry",
    ]);
  });

  it("are told as one object with the request's id [service.2.9.error-object]", () => {
    expect(notFound("invoice").toWire("req-1")).toEqual({
      error: { code: "not_found", message: "No such invoice.", request_id: "req-1" },
    });
    const details = [{ field: "links[3].amount_minor", message: "must be positive" }];
    expect(new ServiceError("validation_failed", "Not valid.", { details }).toWire("req-2")).toEqual({
      error: { code: "validation_failed", message: "Not valid.", request_id: "req-2", details },
    });
  });

  it("tell callers ids and fields, and nothing of what is for a page [service.2.9.error-object]", () => {
    const detail = { field: "amount", message: "has more decimals than USD has (2)" };
    const details = [{ ...detail, onPage: "has too many decimals", code: "decimals" as const }];
    const { error } = new ServiceError("validation_failed", "Not valid.", { details, onPage: "No." }).toWire("req-3");
    expect(error).toEqual({ code: "validation_failed", message: "Not valid.", request_id: "req-3", details: [detail] });
    const conflict = conflictOf("payment link", "l-1", (link) => `${link} has ended; the email of ${link} stays.`);
    expect([conflict.message, conflict.onPage]).toEqual([
      "Payment link l-1 has ended; the email of payment link l-1 stays.",
      "This payment link has ended; the email of this payment link stays.",
    ]);
  });

  it("never tell what a library threw", () => {
    const thrown = new Error("connect ECONNREFUSED postgres://user:secret@db");
    expect(JSON.stringify(asServiceError(thrown).toWire("req-3"))).not.toContain("secret");
    expect(asServiceError(thrown).cause).toBe(thrown);
  });
});
