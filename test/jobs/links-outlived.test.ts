import { beforeEach, describe, expect, it } from "vitest";
import { resolveAttention } from "../../src/core/attention/operations/resolve-attention.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { getInvoice } from "../../src/core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { createPaymentLink } from "../../src/core/payment-links/operations/create-links.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { finishLinks, runWorkflows } from "../../src/jobs/work-off.ts";
import type { InvoicePlan } from "../../src/simulators/fusion/book-invoice.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { atStripe, callOnce } from "../support/collecting.ts";
import { call } from "../support/lists.ts";
import { alderAccount, erpItem, runPull } from "../support/pulls.ts";
import { rowsOf } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { useCollecting } from "../support/use-collecting.ts";

const ERP_ID = 300100180000000000n;

/** An installment as the ERP has it; of 100.00, wholly owed. */
type Part = Partial<InvoicePlan["installments"][number]>;

const item = (parts: readonly Part[], changed: { status?: "Complete" | "Incomplete"; currency?: string } = {}) =>
  erpItem({ parts, status: "Complete", ...changed });

describe.each(STORES)("links and what becomes of their debt in the ERP, on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "stripe");
  let erp: FusionSimulator;
  let connectionId: string;

  beforeEach(async () => {
    erp = createFusionSimulator({ invoices: [item([{}, {}])], accounts: [alderAccount("ap@alder.example")] });
    const settings = { provider: "oracle_fusion", url: await erp.listen(), username: "u", password: "p" } as const;
    ({ id: connectionId } = await act(connectErp, settings));
    await pull();
    return () => erp.close();
  });

  async function pull(): Promise<void> {
    app.clock.advance(1_000);
    expect(await runPull(app.core, book.tenantId, connectionId)).toMatchObject({ status: "succeeded" });
  }
  async function invoice() {
    const { data } = await call(app.core, listInvoices, book.reader, { invoice_number: "INV-1" });
    return call(app.core, getInvoice, book.reader, { invoice_id: data[0]?.id });
  }
  /** A link of `amountMinor` on the invoice's first installment, or on `index`. */
  async function issue(amountMinor?: number, index = 0) {
    app.clock.advance(1_000);
    const { id, installments } = await invoice();
    const asked = { invoice_id: id, installment_id: installments[index]?.id, amount_minor: amountMinor };
    return callOnce(app.core, createPaymentLink, book.admin, asked);
  }
  const statusOf = async ({ id }: { id: string }) => (await book.link(id)).status;
  const withdrawals = () => rowsOf(store, book.tenantId, "audit_entries", { operation: "deactivatePaymentLink" });

  it.each([
    ["gone from the ERP", () => erp.removeInvoices(String(ERP_ID))],
    ["paid in the ERP", () => erp.putInvoices(item([{ balanceMinor: 0n }, {}]))],
    ["partly paid in the ERP", () => erp.putInvoices(item([{ balanceMinor: 99_99n }, {}]))],
    ["disputed", () => erp.putInvoices(item([{ disputedMinor: 10n }, {}]))],
    ["excluded from collection", () => erp.putInvoices(item([{ excluded: true }, {}]))],
    ["billed in another currency", () => erp.putInvoices(item([{}, {}], { currency: "EUR" }))],
    ["billed in a currency that nobody knows", () => erp.putInvoices(item([{}, {}], { currency: "€" }))],
    ["closed", () => erp.putInvoices(item([{ closedDate: "2026-03-01" }, {}]))],
  ])(
    "are withdrawn from an installment that is %s [completions.12.no-link-outlives] [completions.12.link-currency]",
    async (_what, change) => {
      const link = await issue();
      change();
      await pull();
      expect(await statusOf(link)).toBe("deactivated");
      expect((await withdrawals()).filter((entry) => entry.object_id === link.id)).toMatchObject([
        { actor_kind: "system", actor_name: "reconciliation", object_id: link.id, outcome: "succeeded" },
      ]);
      expect(await finishLinks(app.core)).toBe(1);
      expect(atStripe(app, link.id)?.active).toBe(false);
      expect(await invoice()).toMatchObject({ has_active_payment_link: false });
    },
  );

  it("are withdrawn where the installment is no part of the invoice any more [completions.12.no-link-outlives]", async () => {
    const [first, second] = [await issue(), await issue(undefined, 1)];
    erp.putInvoices(item([{}]));
    await pull();
    expect([await statusOf(first), await statusOf(second)]).toEqual(["active", "deactivated"]);
    expect(await invoice()).toMatchObject({ has_active_payment_link: true });
  });

  it("stay where the ERP does not say that the debt has ended [completions.12.no-link-outlives]", async () => {
    const link = await issue();
    erp.putInvoices(item([{}, {}], { status: "Incomplete" }));
    await pull();
    expect((await invoice()).installments[0]).toMatchObject({ not_collectible_reason: "not_finalised" });
    expect(await statusOf(link)).toBe("active");
    erp.putInvoices(item([{}, {}]));
    erp.putAccounts(alderAccount(null));
    await pull();
    expect(await statusOf(link)).toBe("active");
    expect(await withdrawals()).toEqual([]);
  });

  it("stay as far as they fit into what is left, the oldest first [completions.12.no-link-outlives]", async () => {
    const links = [await issue(50_00), await issue(30_00), await issue(20_00)];
    erp.putInvoices(item([{ balanceMinor: 70_00n }, {}]));
    await pull();
    expect(await Promise.all(links.map(statusOf))).toEqual(["active", "deactivated", "active"]);
    expect((await invoice()).installments[0]).toMatchObject({ available_amount: "0.00" });
  });

  it("leave room for one that Auto Generate makes for what is left [completions.12.no-link-outlives]", async () => {
    const link = await issue();
    await issue(undefined, 1);
    await act(enableWorkflow, { type: "auto_generate" });
    await runWorkflows(app.core);
    erp.putInvoices(item([{ balanceMinor: 40_00n }, {}]));
    await pull();
    await runWorkflows(app.core);
    const made = (await book.links()).filter((row) => row.created_by_kind === "workflow");
    expect(made).toMatchObject([{ state: "active", amount_minor: "4000", installment_id: link.installment_id }]);
  });

  it("ask for nothing in a currency that the debt came to have, and their money counts in no figure [completions.12.link-currency]", async () => {
    const [paid, open] = [await issue(), await issue(undefined, 1)];
    const { id: session } = app.stripe.open(open.id);
    await app.stripe.complete(app.stripe.open(paid.id).id);
    await act(enableWorkflow, { type: "auto_generate" });
    erp.putInvoices(item([{}, {}], { currency: "EUR" }));
    await pull();
    const told = { kind: "payment_in_other_currency", amount: "100.00", currency: "USD" } as const;
    const first = { ...told, payment_link_id: paid.id, payment_id: expect.any(String) };
    expect(await book.attention()).toMatchObject([first]);
    erp.putInvoices(item([{}, { balanceMinor: 100_00n, dueDate: "2026-02-02" }], { currency: "EUR" }));
    await pull();
    await runWorkflows(app.core);
    expect((await book.links()).filter((row) => row.created_by_kind === "workflow")).toEqual([]);
    expect([await statusOf(paid), await statusOf(open)]).toEqual(["paid", "deactivated"]);
    const euro = { currency: "EUR", amount_collected: "0.00", collection_outstanding: "200.00" };
    expect(await invoice()).toMatchObject(euro);
    await app.stripe.complete(session);
    expect(await invoice()).toMatchObject(euro);
    expect(await book.attention()).toMatchObject([first, { ...told, payment_link_id: open.id }]);
    expect((await issue()).currency).toBe("EUR");
  });

  it("leave money before people that its invoice, as it stands now, does not owe [completions.12.fell-below-paid]", async () => {
    const paid = await issue();
    await app.stripe.complete(app.stripe.open(paid.id).id);
    const ids = new Set<string | null>();
    const billed = async (amountMinor: bigint, currency: string, ...told: string[]) => {
      erp.putInvoices(item([{ amountMinor, balanceMinor: amountMinor }], { currency }));
      await pull();
      const found = await book.attention();
      expect(found.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual(told);
      for (const { id } of found) ids.add(id);
      return found;
    };
    const [over] = await billed(60_00n, "USD", "payment_over_owed 40.00");
    const say = expect.stringContaining("Paid through links: 100.00 USD; the invoice is for 60.00 USD. Refund");
    expect(over).toMatchObject({ invoice_number: "INV-1", payment_link_id: paid.id, currency: "USD", advice: { say } });
    await act(resolveAttention, { id: over?.id ?? "" });
    await billed(70_00n, "USD");
    await billed(30_00n, "USD", "payment_over_owed 70.00");
    await billed(90_00n, "USD", "payment_over_owed 10.00");
    await billed(100_00n, "USD");
    const [other] = await billed(100_00n, "EUR", "payment_in_other_currency 100.00");
    await billed(100_00n, "USD");
    await billed(100_00n, "EUR", "payment_in_other_currency 100.00");
    await act(resolveAttention, { id: other?.id ?? "" });
    await billed(50_00n, "EUR");
    await billed(60_00n, "USD", "payment_over_owed 40.00");
    await billed(60_00n, "EUR", "payment_in_other_currency 100.00");
    expect(ids.size).toBe(2);
  });

  it("are not made in the currency that their debt had when they were asked for [completions.12.link-currency]", async () => {
    app.stripe.control({ mode: "drop_after", times: 2 });
    await issue().catch(() => null);
    expect(await book.links()).toMatchObject([{ state: "reserved" }]);
    erp.putInvoices(item([{}, {}], { currency: "EUR" }));
    await pull();
    app.clock.advance(2 * 60_000);
    await finishLinks(app.core);
    expect(await book.links()).toMatchObject([{ state: "withdrawn" }]);
  });

  it("record what is paid by them all the same [completions.12.no-link-outlives]", async () => {
    const link = await issue();
    const { id: session } = app.stripe.open(link.id);
    erp.removeInvoices(String(ERP_ID));
    await pull();
    await app.stripe.complete(session);
    const { data } = await call(app.core, listPayments, book.reader, { invoice_id: link.invoice_id });
    expect(data).toMatchObject([{ payment_link_id: link.id, amount: "100.00" }]);
    expect(await statusOf(link)).toBe("deactivated");
  });
});
