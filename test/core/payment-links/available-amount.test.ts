import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { availableAmount } from "../../../src/core/invoices/invoice-on-wire.ts";
import { type Money, money, sum } from "../../../src/core/kernel/money.ts";

const amount = fc.integer({ min: 0, max: 1_000_000 }).map((cents): Money => money(String(cents)).div(100));

describe("what a new link may ask for", () => {
  it.each<[outstanding: string, links: string[], available: string]>([
    ["100.00", [], "100"],
    ["100.00", ["30.25", "0.75"], "69"],
    ["100.00", ["100"], "0"],
    ["100.00", ["60", "60"], "0"],
    ["0", ["5"], "0"],
  ])("of %s, with links of %j, is %s [completions.4.available]", (outstanding, links, available) => {
    expect(availableAmount(money(outstanding), links.map(money)).toFixed()).toBe(available);
  });

  it("is never below zero, and with the links never more than is outstanding [completions.4.available]", () => {
    fc.assert(
      fc.property(amount, fc.array(amount, { maxLength: 5 }), (outstanding, links) => {
        const available = availableAmount(outstanding, links);
        expect(available.isNegative()).toBe(false);
        const taken = available.plus(sum(links));
        expect(available.isZero() || taken.equals(outstanding)).toBe(true);
      }),
    );
  });
});
