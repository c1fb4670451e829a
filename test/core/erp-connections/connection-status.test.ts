import { describe, expect, it } from "vitest";
import { assertConnected, assertNotDisconnected } from "../../../src/core/erp-access/assert-connected.ts";
import { type ErpContact, hasAnswered, statusAfter } from "../../../src/core/erp-access/connection-status.ts";
import type { ErpConnectionRow } from "../../../src/store/tables/erp.ts";

type Status = ErpConnectionRow["status"];

describe("what a call to an ERP means for its connection", () => {
  it.each<[ErpContact, Status | null, boolean | null]>([
    ["answered", "connected", true],
    ["authentication_failed", "requires_reauthentication", true],
    ["erp_unreachable", "temporarily_unavailable", false],
    ["erp_rejected", null, true],
    ["interrupted", null, null],
    ["internal_error", null, null],
  ])("after %s it is %s [completions.7.status]", (contact, status, answered) => {
    expect(statusAfter(contact)).toBe(status);
    expect(hasAnswered(contact)).toBe(answered);
  });

  it("is called only while it is switched on and holds a credential [service.3.1.disconnected]", () => {
    const refusal = expect.objectContaining({ code: "connection_disconnected" });
    const called = (status: Status, credential: string | null) => () => assertConnected({ status, credential });
    expect(called("requires_reauthentication", "sealed")).not.toThrow();
    expect(called("connected", null)).toThrow(refusal);
    expect(called("disconnected", "sealed")).toThrow(refusal);
    expect(() => assertNotDisconnected("disconnected")).toThrow(refusal);
    for (const status of [null, "temporarily_unavailable"] as const)
      expect(() => assertNotDisconnected(status)).not.toThrow();
  });
});
