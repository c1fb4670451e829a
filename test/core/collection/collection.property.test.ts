import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InstallmentFacts, InvoiceFacts, PaymentFacts } from "../../../src/core/collection/collection-facts.ts";
import { collectionFigures } from "../../../src/core/collection/collection-figures.ts";
import { needsNoTask } from "../../../src/core/tasks/not-needed.ts";

/**
 * The rules told once more, in whole thousandths and loops, from the text of the specification: amounts are bigints,
 * reasons a table of conditions, the worst push state a position in a list.
 */
const MILLI_PER_MINOR: Record<string, bigint> = { USD: 10n, JPY: 1_000n, KWD: 1n };
const AT = "2026-03-01T00:00:00.000Z";

interface Part {
  sequence: number | null;
  due: string | null;
  original: bigint | null;
  owed: bigint | null;
  closed: boolean;
  disputed: boolean;
  excluded: boolean;
  removed: boolean;
}

interface Paid {
  /** The installment's place; -1 for none. */
  part: number;
  amount: bigint;
  status: PaymentFacts["erp_push_status"];
  reflected: boolean;
}

interface Case {
  local: boolean;
  finalised: boolean;
  retired: boolean;
  currency: string | null;
  email: boolean;
  total: bigint | null;
  balance: bigint | null;
  everHad: boolean;
  parts: Part[];
  paid: Paid[];
  chargeable: string[];
}

function text(milli: bigint): string {
  const digits = String(milli < 0n ? -milli : milli).padStart(4, "0");
  return `${milli < 0n ? "-" : ""}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

function milli(amount: string): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(3, "0"));
}

function naive(given: Case) {
  const counted = given.currency === null ? [] : given.paid;
  const total = (payments: Paid[]): bigint => payments.reduce((all, { amount }) => all + amount, 0n);
  const lowersDebt = (paid: Paid): boolean => given.local || !paid.reflected || paid.status === "reversed";
  const left = (owed: bigint | null, payments: Paid[]): bigint => {
    const rest = (owed ?? 0n) - total(payments.filter(lowersDebt));
    return rest > 0n ? rest : 0n;
  };
  const isLive = (place: number): boolean => given.parts[place]?.removed === false;
  const ownLeft = given.parts.map((part, index) =>
    left(
      given.local ? part.original : part.owed,
      counted.filter((paid) => paid.part === index),
    ),
  );
  const astray = total(counted.filter((paid) => lowersDebt(paid) && !isLive(paid.part)));
  // Of all that is due up to and with a live one, what went astray is gone first; the rest is its own, as far as it goes.
  const rank = ({ due, sequence }: Part, index: number): string =>
    `${due ?? "never"} ${String(sequence ?? 999).padStart(3, "0")} ${index}`;
  const settled = (part: Part, index: number, own: bigint): bigint => {
    let through = -astray;
    for (const [place, other] of given.parts.entries())
      if (!other.removed && rank(other, place) <= rank(part, index)) through += ownLeft[place] ?? 0n;
    return through < 0n ? 0n : through < own ? through : own;
  };
  const unit = MILLI_PER_MINOR[given.currency ?? ""];
  const isNothing = (left: bigint): boolean => (unit === undefined ? left === 0n : left < unit);
  const firstOf = (table: [string, boolean][]): string | null => table.find(([, holds]) => holds)?.[0] ?? null;
  const ofDebtor: [string, boolean][] = [
    ["no_billing_email", !given.email],
    ["currency_not_supported", !given.chargeable.includes(given.currency ?? "")],
  ];
  const parts = given.parts.map((part, index) => {
    const own = ownLeft[index] ?? 0n;
    const outstanding = part.removed ? own : settled(part, index, own);
    const reason = firstOf([
      ["retired", given.retired],
      ["removed", part.removed],
      ["not_finalised", !given.finalised],
      ["closed", part.closed],
      ["excluded", part.excluded],
      ["disputed", part.disputed],
      ["nothing_outstanding", isNothing(outstanding)],
      ...ofDebtor,
    ]);
    return { ...part, outstanding, reason };
  });
  let outstanding = 0n;
  if (given.everHad) for (const part of parts) outstanding += part.removed ? 0n : part.outstanding;
  else outstanding = left(given.local ? given.total : given.balance, counted);
  const collected = total(counted);
  const dates = parts.flatMap((part) => (part.reason === null && part.due !== null ? [part.due] : []));
  const worst = ["failed", "reversed", "pending", "processing", "posted", "applied"].find((state) =>
    given.paid.some((paid) => paid.status === state || (state === "pending" && paid.status === "held")),
  );
  const paidOff = collected > 0n && outstanding === 0n;
  const owedInErp = given.everHad
    ? given.parts.some((part) => !part.removed && (part.owed ?? 0n) > 0n)
    : (given.balance ?? 0n) > 0n;
  return {
    parts: parts.map((part) => ({ outstanding: part.outstanding, reason: part.reason })),
    outstanding,
    collected,
    status: paidOff ? "paid" : parts.some((part) => part.reason === null) ? "open" : "inactive",
    due: dates.reduce<string | null>((first, date) => (first === null || date < first ? date : first), null),
    own: given.everHad
      ? null
      : firstOf([
          ["retired", given.retired],
          ["not_finalised", !given.finalised],
          ["nothing_outstanding", isNothing(outstanding)],
          ...ofDebtor,
        ]),
    worst: worst ?? null,
    held: given.paid.some((paid) => paid.status === "held"),
    taskOver: given.retired || (!given.local && !owedInErp),
  };
}

const amount = fc.oneof(fc.constantFrom(0n, 1n, 9n, 10n, 999n, 1_000n), fc.bigInt({ min: -5_000n, max: 500_000n }));
const rarely = fc.integer({ min: 0, max: 7 }).map((number) => number === 0);
const part = fc.record({
  sequence: fc.option(fc.integer({ min: 1, max: 3 })),
  due: fc.option(fc.constantFrom("2026-01-31", "2026-02-28", "2026-03-01")),
  original: fc.option(amount),
  owed: fc.option(amount),
  closed: rarely,
  disputed: rarely,
  excluded: rarely,
  removed: rarely,
});
const paid = fc.record({
  part: fc.integer({ min: -1, max: 3 }),
  amount: fc.bigInt({ min: 1n, max: 300_000n }),
  status: fc.constantFrom(null, "held", "pending", "processing", "posted", "applied", "failed", "reversed"),
  reflected: fc.boolean(),
});
const cases: fc.Arbitrary<Case> = fc
  .record({
    local: rarely,
    finalised: rarely.map((not) => !not),
    retired: rarely,
    currency: fc.constantFrom("USD", "USD", "JPY", "KWD", "ZZZ", null),
    email: rarely.map((not) => !not),
    total: fc.option(amount),
    balance: fc.option(amount),
    everHad: fc.boolean(),
    parts: fc.array(part, { maxLength: 4 }),
    paid: fc.oneof(fc.constant<Paid[]>([]), fc.array(paid, { maxLength: 4 })),
    chargeable: fc.subarray(["USD", "JPY", "KWD"]),
  })
  .map((given) => ({ ...given, everHad: given.everHad || given.parts.length > 0 }));

function asFacts(given: Case): [InvoiceFacts, InstallmentFacts[], PaymentFacts[]] {
  const money = (value: bigint | null): string | null => (value === null ? null : text(value));
  return [
    {
      origin: given.local ? "local" : "erp",
      finalised: given.finalised,
      retired_at: given.retired ? AT : null,
      currency: given.currency,
      customer_email: given.email ? "ap@customers.example" : null,
      total_amount: money(given.total),
      erp_invoice_open_balance: money(given.balance),
      has_installments: given.everHad,
    },
    given.parts.map((one, index) => ({
      installment_id: String(index),
      sequence_number: one.sequence,
      due_date: one.due,
      original_amount: money(one.original),
      erp_outstanding: money(one.owed),
      closed: one.closed,
      disputed: one.disputed,
      excluded: one.excluded,
      removed_at: one.removed ? AT : null,
    })),
    given.paid.map((one) => ({
      installment_id: one.part === -1 ? null : String(one.part),
      amount: text(one.amount),
      currency: given.currency ?? "USD",
      erp_push_status: one.status,
      reflected_at: one.reflected ? AT : null,
    })),
  ];
}

describe("collection figures of any book", () => {
  it("are what the rules say, told another way [completions.6.outstanding] [completions.6.replaced] [completions.6.status] [completions.6.due-date] [completions.6.push-state] [completions.4.reasons] [completions.9.removed] [completions.9.rounded-to-zero] [completions.10.own-reason] [service.3.2.paid]", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const [invoice, installments, payments] = asFacts(given);
        const figures = collectionFigures(invoice, installments, payments, new Set(given.chargeable));
        const expected = naive(given);
        expect({
          parts: figures.installments.map((one) => ({
            outstanding: milli(one.collection_outstanding),
            reason: one.not_collectible_reason,
          })),
          outstanding: milli(figures.invoice.collection_outstanding),
          collected: milli(figures.invoice.amount_collected),
          status: figures.invoice.collection_status,
          due: figures.invoice.collection_due_date,
          own: figures.invoice.not_collectible_reason,
          worst: figures.invoice.erp_push_state,
          held: figures.invoice.has_held_payment,
          taskOver: needsNoTask(invoice, installments),
        }).toEqual(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it("are the same in whatever order the rows come, and the invoice's is its live installments' [completions.6.replaced]", () => {
    fc.assert(
      fc.property(cases, (given) => {
        const [invoice, installments, payments] = asFacts(given);
        const chargeable = new Set(given.chargeable);
        const figures = collectionFigures(invoice, installments, payments, chargeable);
        const backwards = collectionFigures(invoice, installments.toReversed(), payments.toReversed(), chargeable);
        expect(backwards).toEqual({ ...figures, installments: figures.installments.toReversed() });
        const live = figures.installments.filter((_, index) => given.parts[index]?.removed === false);
        const total = live.reduce((all, one) => all + milli(one.collection_outstanding), 0n);
        if (given.everHad) expect(milli(figures.invoice.collection_outstanding)).toBe(total);
      }),
      { numRuns: 2_000 },
    );
  });

  it("reach every status and every reason, or this test proves nothing", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(cases, (given) => {
        const [invoice, installments, payments] = asFacts(given);
        const figures = collectionFigures(invoice, installments, payments, new Set(given.chargeable));
        seen.add(figures.invoice.collection_status);
        for (const one of figures.installments) seen.add(one.not_collectible_reason ?? "collectible");
      }),
      { numRuns: 3_000, seed: 1 },
    );
    expect(seen.size).toBe(3 + 9 + 1);
  });
});
