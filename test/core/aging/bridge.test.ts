import { randomUUID } from "node:crypto";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { addMember } from "../../../auth/members/add-member.ts";
import { type BridgeStep, invoicesOfStep } from "../../../src/core/aging/bridge-queries.ts";
import { listBridgeInvoices, readBridge } from "../../../src/core/aging/operations/bridge.ts";
import { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import { recomputeInvoices } from "../../../src/core/invoices/recompute.ts";
import { money } from "../../../src/core/kernel/money.ts";
import type { Store } from "../../../src/store/store.ts";
import type { InstallmentRow, InvoiceRow } from "../../../src/store/tables/invoices.ts";
import { type Book, installmentRow, invoiceRow, openBook } from "../../support/book.ts";
import { recordConfirmedPayment } from "../../support/confirmed-payment.ts";
import { testCore } from "../../support/core.ts";
import { integrationRow, linkRow, paymentRow } from "../../support/furnish.ts";
import { HOSTILE_BOOK } from "../../support/hostile-book.ts";
import { call } from "../../support/lists.ts";
import { usePullWorld } from "../../support/pulls.ts";
import { addRows } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";
import { times } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";
import { decimal } from "./model-book.ts";

const RUNS = times(6, 60);
const EARLIER = "2026-03-02T00:00:00.000Z";

const amount = fc
  .tuple(fc.integer({ min: -4_000, max: 90_000 }), fc.integer({ min: 0, max: 4 }))
  .map(([digits, scale]) => decimal(digits, scale));
const rarely = fc.nat(5).map((n) => n === 0);
const day = fc.option(fc.constantFrom("2026-01-31", "2026-03-10", "2026-12-31"), { freq: 4 });
const part = fc.record({
  ...{ erp_outstanding: fc.option(amount, { freq: 8 }), original_amount: amount, due_date: day },
  ...{ closed: rarely, disputed: rarely, excluded: rarely, isRemoved: rarely },
});
const paid = fc.record({
  amount: fc.integer({ min: 1, max: 60_000 }).map((cents) => decimal(cents, 2)),
  ...{ isReflected: fc.boolean(), isReversed: rarely, place: fc.nat(3) },
});
/** An invoice of an ERP that says what it likes: balances below zero or of other sums than its installments, and none. */
const invoice = fc.record({
  ...{ isLocal: rarely, isRetired: rarely, isUnfinished: rarely, hasNoEmail: rarely, due_date: day },
  currency: fc.constantFrom("USD", "USD", "JPY", "KWD", null),
  ...{ balance: fc.option(amount, { freq: 8 }), total_amount: amount },
  ...{ parts: fc.array(part, { maxLength: 3 }), paid: fc.array(paid, { maxLength: 2 }) },
});
type InvoiceSpec = typeof invoice extends fc.Arbitrary<infer S> ? S : never;

function rowsOf({ tenantId, connectionId }: Book, spec: InvoiceSpec, integrationId: string) {
  const { isLocal, isRetired, isUnfinished, hasNoEmail, balance, parts, paid, ...own } = spec;
  const invoice = invoiceRow(tenantId, {
    ...{ ...own, connection_id: isLocal ? null : connectionId, has_installments: parts.length > 0 },
    ...{ erp_invoice_open_balance: isLocal ? null : balance, finalised: isLocal || !isUnfinished },
    customer_email: hasNoEmail ? null : "billing@globex.example.test",
    retired_at: isRetired && !isLocal ? EARLIER : null,
  });
  const installments = parts.map(({ isRemoved, ...given }, place) =>
    installmentRow(tenantId, invoice.invoice_id, {
      ...{ ...given, sequence_number: place + 1, removed_at: isRemoved ? EARLIER : null },
    }),
  );
  const payments = paid.map(({ amount, isReflected, isReversed, place }) => {
    const installment = installments[place] ?? installmentRow(tenantId, invoice.invoice_id);
    return paymentRow(linkRow(installment, integrationId, { amount, currency: invoice.currency ?? "USD" }), {
      ...{ installment_id: installments[place]?.installment_id ?? null, payment_link_id: null },
      ...{ erp_push_status: isReversed ? "reversed" : "applied", reflected_at: isReflected ? EARLIER : null },
      provider_payment_id: randomUUID(),
    });
  });
  return { invoice, installments, payments };
}

/** A workspace of such invoices, with figures as the service derives them. */
async function openOddBook(store: Store, specs: readonly InvoiceSpec[]): Promise<Book> {
  const book = await openBook(store);
  const { tenantId } = book;
  const integration = integrationRow(tenantId, { currencies: ["USD"] });
  await addRows(store, tenantId, { payment_integrations: integration });
  const made = specs.map((spec) => rowsOf(book, spec, integration.payment_integration_id));
  const invoices: InvoiceRow[] = made.map((one) => one.invoice);
  const installments: InstallmentRow[] = made.flatMap((one) => one.installments);
  await book.insert({ invoices, installments });
  for (const { payments } of made) if (payments.length > 0) await addRows(store, tenantId, { payments });
  const ids = invoices.map((row) => row.invoice_id);
  await store.write(tenantId, (tx) => recomputeInvoices(tx, testCore(store), tenantId, ids));
  return book;
}

type Rows = z.output<typeof listBridgeInvoices.output>;

/** Reads the bridge of a book, and the rows behind its figures. */
async function bridgeOf(store: Store, tenantId: string) {
  const core = testCore(store);
  const { id: memberId } = await operate(core, tenantId, addMember, {
    email: `${randomUUID()}@a.example`,
    role: "member",
  });
  const member = { kind: "person", tenantId, memberId } as const;
  const reader = { kind: "api_key", tenantId, keyId: randomUUID(), permission: "readonly" } as const;
  return {
    figures: () => operate(core, tenantId, readBridge, {}),
    /** All rows of a step, walked, and the total that came with the first page. */
    async rows(step: BridgeStep, currency: string) {
      const filters = { step, currency, limit: 3 };
      const first = await call(core, listBridgeInvoices, member, { ...filters, include_total: true });
      const data: Rows["data"] = [...first.data];
      for (let next = first.pagination.next_cursor; next !== null; ) {
        const page = await call(core, listBridgeInvoices, member, { ...filters, cursor: next });
        data.push(...page.data);
        next = page.pagination.next_cursor;
      }
      return { data, totals: first.totals ?? [] };
    },
    aged: async (input: object) => (await call(core, summarizeAging, reader, input)).totals,
    invoices: async (input: object) =>
      (await call(core, listInvoices, reader, { ...input, limit: 1, include_total: true })).totals ?? [],
  };
}

const sum = (amounts: readonly string[]) => amounts.reduce((total, one) => total.plus(one), new Decimal(0));

/** What of a bridge's figures makes up each of its sums. */
const SUMS = {
  outstanding: ["erp_balance", "schedule", "credit", "received", "local"],
  aged: ["outstanding", "retired", "closed", "undated"],
  split: [
    ...["collectible", "no_installments", "not_finalised", "excluded", "disputed", "nothing_outstanding"],
    ...["no_billing_email", "currency_not_supported"],
  ],
};

/** Holds that the sums add up and that each figure is that of its rows, and of the lists that have it too; answers the steps seen. */
async function assertAddsUp(bridge: Awaited<ReturnType<typeof bridgeOf>>) {
  const figures = await bridge.figures();
  for (const [currency, of] of Map.groupBy(figures, (figure) => figure.currency)) {
    const amounts = new Map<string, string>(of.map(({ step, amount }) => [step, amount]));
    const come = (steps: readonly string[]) => sum(steps.map((step) => amounts.get(step) ?? "0")).toFixed();
    expect(come(["outstanding"])).toBe(come(SUMS.outstanding));
    expect(come(["aged"])).toBe(come(SUMS.aged));
    expect(come(["aged"])).toBe(come(SUMS.split));
    const [invoices] = currency === "UNKNOWN" ? [] : await bridge.invoices({ currency });
    if (invoices !== undefined) expect(come(["outstanding"])).toBe(sum([invoices.collection_outstanding]).toFixed());
    for (const { step, amount } of of) {
      const { data, totals } = await bridge.rows(step, currency);
      const isZero = new Decimal(amount).isZero();
      expect(sum(data.map((row) => row.amount)).toFixed(), step).toBe(new Decimal(amount).toFixed());
      if (!isZero) expect(totals).toEqual([{ currency, count: data.length, amount }]);
      expect(new Set(data.map((row) => row.invoice_id)).size).toBe(data.length);
      const why = step === "collectible" ? { collectible: true } : { not_collectible_reason: step };
      if (step !== "aged" && (step === "no_installments" || !SUMS.split.includes(step))) continue;
      const aged = await bridge.aged({ currency, ...(step === "aged" ? {} : why) });
      expect(
        aged.map(({ outstanding }) => outstanding),
        step,
      ).toEqual(isZero ? [] : [amount]);
    }
  }
  return figures.map(({ step }) => step);
}

describe.each(storesOf(import.meta.url))("the bridge on $name", ({ open }) => {
  const { store } = useStore(open);

  it("works out of each part of a debt what the step adds that is asked for, and no other [facts.scale.joined]", async () => {
    const { tenantId } = await openBook(store);
    const plan = await store.read(tenantId, (tx) => invoicesOfStep(tx, tenantId, { step: "schedule" }).explain());
    expect(JSON.stringify(plan)).toMatch(/sum\(/i);
    expect(JSON.stringify(plan)).not.toContain("Values Scan");
  });

  it("adds up to the cent, and each figure is the sum of its rows, by any balances of an ERP [pages.look.bridge]", async () => {
    const seen = new Set<string>();
    const books = fc.array(invoice, { minLength: 1, maxLength: 14, size: "max" });
    await fc.assert(
      fc.asyncProperty(books, async (specs) => {
        const { tenantId } = await openOddBook(store, specs);
        for (const step of await assertAddsUp(await bridgeOf(store, tenantId))) seen.add(step);
      }),
      { numRuns: RUNS },
    );
    expect(seen.size).toBeGreaterThan(13);
  });

  it("says of each amount once why it is not aged [pages.look.bridge]", async () => {
    const book = await openOddBook(store, []);
    const due_date = "2026-01-31";
    const balance = (erp_invoice_open_balance: string) => ({ erp_invoice_open_balance, has_installments: true });
    await book.invoice({ ...balance("100.10"), collection_outstanding: "60.10" }, [
      { due_date, erp_outstanding: "100.10", collection_outstanding: "60.10" },
    ]);
    await book.invoice({ ...balance("47.40"), retired_at: EARLIER }, [{ due_date: null, erp_outstanding: "47.40" }]);
    await book.invoice(balance("3"), [
      { due_date: null, erp_outstanding: "1.5" },
      { due_date, erp_outstanding: "2.25", closed: true, not_collectible_reason: "not_finalised" },
      { due_date, erp_outstanding: "-4", collection_outstanding: "0" },
      { due_date, erp_outstanding: "7", not_collectible_reason: "disputed" },
    ]);
    await book.invoice({ origin: "local", due_date, collection_outstanding: "5" });
    const figures = await (await bridgeOf(store, book.tenantId)).figures();
    expect(figures.map(({ step, amount }) => `${step} ${amount}`)).toEqual([
      ...["erp_balance 150.50", "schedule 3.75", "credit 4.00", "received -40.00", "local 5.00", "outstanding 123.25"],
      ...["retired -47.40", "closed -2.25", "undated -1.50", "aged 72.10"],
      ...["collectible 60.10", "no_installments 5.00", "disputed 7.00"],
    ]);
  });

  it("shows nothing of another workspace [isolation.bridge]", async () => {
    const [ours, theirs] = [await openBook(store), await openBook(store)];
    await theirs.invoice({}, [{}]);
    const { figures, rows } = await bridgeOf(store, ours.tenantId);
    expect([await figures(), (await rows("outstanding", "USD")).data]).toEqual([[], []]);
  });
});

describe.each(storesOf(import.meta.url))("the bridge of a hostile book on $name", ({ open }) => {
  const { invoices = [], accounts = [] } = HOSTILE_BOOK;
  const world = usePullWorld(open, { invoices, accounts });

  it("adds up to the cent, and each figure is the sum of its rows [pages.look.bridge]", async () => {
    const { core, tenantId } = world;
    await world.pull();
    const book = [...(await world.book()).values()];
    const part =
      book.find(({ currency }) => currency === "USD")?.installments[0] ?? expect.fail("nothing is in dollars");
    const payment = {
      tenantId,
      invoiceId: part.invoice_id,
      installmentId: part.installment_id,
      amount: money("30.55"),
    };
    await core.store.write(tenantId, (tx) => recordConfirmedPayment(tx, core, payment));
    const bridge = await bridgeOf(core.store, tenantId);
    expect(new Set(await assertAddsUp(bridge))).toContain("received");
  });
});
