import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CursorScope, openCursor, sealCursor } from "../../src/core/gate/cursor.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { Secrets } from "../../src/core/kernel/secrets.ts";

const secrets = new Secrets(Buffer.alloc(32, 1));
const scope: CursorScope = { operation: "listInvoices", tenantId: "t1", query: { currency: "USD", order: "desc" } };
const PLACE = ["2026-03-10T15:00:00.000Z", "00000000-0000-4000-8000-000000000001"];

const refusal = (open: () => unknown): string => {
  try {
    open();
  } catch (error) {
    return error instanceof ServiceError ? error.code : `not a service error: ${String(error)}`;
  }
  return "accepted";
};

describe("a cursor", () => {
  it("gives its place back for the query it was made for, in any order the filters come", () => {
    const cursor = sealCursor(secrets, scope, PLACE);
    const reordered = { ...scope, query: { order: "desc", due_before: undefined, currency: "USD" } };
    expect(openCursor(secrets, reordered, cursor)).toEqual(PLACE);
  });

  it.each<[string, CursorScope]>([
    ["another operation", { ...scope, operation: "listTasks" }],
    ["another tenant", { ...scope, tenantId: "t2" }],
    ["another filter value", { ...scope, query: { ...scope.query, currency: "EUR" } }],
    ["one filter more", { ...scope, query: { ...scope.query, invoice_number: "1" } }],
    ["one filter less", { ...scope, query: { order: "desc" } }],
  ])("is refused for %s [service.4.1.cursor]", (_what, other) => {
    const cursor = sealCursor(secrets, scope, PLACE);
    expect(refusal(() => openCursor(secrets, other, cursor))).toBe("invalid_cursor");
  });

  it("is refused when any character of it was changed, dropped or added [service.4.1.cursor]", () => {
    const cursor = sealCursor(secrets, scope, PLACE);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom("A", "b", "0", "_", "-", "", "AA"), (at, replacement) => {
        const tampered = cursor.slice(0, at) + replacement + cursor.slice(at + 1);
        fc.pre(tampered !== cursor);
        expect(refusal(() => openCursor(secrets, scope, tampered))).toBe("invalid_cursor");
      }),
    );
  });

  it("is refused when it is no cursor at all, or another installation's", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(refusal(() => openCursor(secrets, scope, text))).toBe("invalid_cursor");
      }),
    );
    const foreign = sealCursor(new Secrets(Buffer.alloc(32, 2)), scope, PLACE);
    expect(refusal(() => openCursor(secrets, scope, foreign))).toBe("invalid_cursor");
  });

  it("is far shorter than a caller may send [service.8.cursor-length]", () => {
    expect(sealCursor(secrets, scope, PLACE).length).toBeLessThan(200);
  });
});
