import { describe, expect, it } from "vitest";
import type { InstallmentFacts, InvoiceFacts, PaymentFacts } from "../../../src/core/collection/collection-facts.ts";
import { collectionFigures } from "../../../src/core/collection/collection-figures.ts";

const USD = new Set(["USD"]);
const AT = "2026-03-01T00:00:00.000Z";

const invoice = (over: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  origin: "erp",
  finalised: true,
  retired_at: null,
  currency: "USD",
  customer_email: "ap@customers.example",
  total_amount: "100",
  erp_invoice_open_balance: "100",
  has_installments: true,
  ...over,
});

const part = (id: string, outstanding: string, over: Partial<InstallmentFacts> = {}): InstallmentFacts => ({
  installment_id: id,
  sequence_number: null,
  due_date: "2026-03-31",
  original_amount: outstanding,
  erp_outstanding: outstanding,
  closed: false,
  disputed: false,
  excluded: false,
  removed_at: null,
  ...over,
});

const payment = (installment: string | null, amount: string, over: Partial<PaymentFacts> = {}): PaymentFacts => ({
  installment_id: installment,
  amount,
  currency: "USD",
  erp_push_status: "pending",
  reflected_at: null,
  ...over,
});

describe("what is left to collect", () => {
  it("drops with a payment the ERP does not know yet, and not twice once it does [completions.6.outstanding]", () => {
    const taken = collectionFigures(invoice(), [part("a", "100")], [payment("a", "40")], USD);
    expect(taken.installments[0]?.collection_outstanding).toBe("60");
    const known = payment("a", "40", { erp_push_status: "applied", reflected_at: AT });
    const reflected = collectionFigures(invoice(), [part("a", "60")], [known], USD);
    expect(reflected.installments[0]?.collection_outstanding).toBe("60");
    expect(reflected.invoice.amount_collected).toBe("40");
  });

  it("counts a reversed receipt as not reflected [completions.6.outstanding]", () => {
    const reversed = payment("a", "40", { erp_push_status: "reversed", reflected_at: AT });
    const figures = collectionFigures(invoice(), [part("a", "100")], [reversed], USD);
    expect(figures.installments[0]?.collection_outstanding).toBe("60");
    expect(figures.invoice.erp_push_state).toBe("reversed");
  });

  it("is paid though the ERP still shows the balance [service.3.2.paid]", () => {
    const figures = collectionFigures(invoice(), [part("a", "100")], [payment("a", "100")], USD);
    expect(figures.invoice).toMatchObject({ collection_status: "paid", collection_outstanding: "0" });
    expect(figures.invoice.collection_due_date).toBeNull();
  });

  it("is inactive when what remains after a payment is disputed [service.3.2.paid]", () => {
    const parts = [part("a", "50"), part("b", "50", { disputed: true })];
    const figures = collectionFigures(invoice(), parts, [payment("a", "50")], USD);
    expect(figures.invoice).toMatchObject({ collection_status: "inactive", collection_outstanding: "50" });
  });

  it("is inactive, not paid, when the ERP alone shows nothing owed [service.3.2.paid]", () => {
    const figures = collectionFigures(invoice(), [part("a", "0", { closed: true })], [], USD);
    expect(figures.invoice.collection_status).toBe("inactive");
  });

  it("is the invoice's own balance where it never had installments, and nothing when all were removed [completions.9.removed]", () => {
    const without = invoice({ has_installments: false });
    expect(collectionFigures(without, [], [], USD).invoice.collection_outstanding).toBe("100");
    const removed = part("a", "100", { removed_at: AT });
    expect(collectionFigures(invoice(), [removed], [], USD).invoice.collection_outstanding).toBe("0");
  });

  it("takes every payment off an invoice of the service's own [completions.6.outstanding]", () => {
    const local = invoice({ origin: "local", erp_invoice_open_balance: null });
    const parts = [part("a", "100", { erp_outstanding: null })];
    const figures = collectionFigures(local, parts, [payment("a", "30", { erp_push_status: null })], USD);
    expect(figures.invoice).toMatchObject({ collection_outstanding: "70", erp_push_state: null });
  });

  it("drops with what was paid on a replaced installment or on none, the earliest due first [completions.6.replaced]", () => {
    const parts = [
      part("undated", "10", { due_date: null }),
      part("third", "10", { sequence_number: 3 }),
      part("second", "10", { sequence_number: 2 }),
      part("first", "10", { due_date: "2026-03-01", sequence_number: 9 }),
      part("replaced", "40", { removed_at: AT }),
    ];
    const left = (payments: PaymentFacts[], facts: Partial<InvoiceFacts> = {}) => {
      const figures = collectionFigures(invoice(facts), parts, payments, USD);
      return [figures.invoice.collection_outstanding, ...figures.installments.map((one) => one.collection_outstanding)];
    };
    expect(left([payment("replaced", "15")])).toEqual(["25", "10", "10", "5", "0", "25"]);
    expect(left([payment("first", "7"), payment("replaced", "8"), payment(null, "6")])).toEqual([
      ...["19", "10", "9", "0", "0", "32"],
    ]);
    expect(left([payment("replaced", "900")])).toEqual(["0", "0", "0", "0", "0", "0"]);
    expect(left([payment("replaced", "15", { erp_push_status: "applied", reflected_at: AT })])[0]).toBe("40");
    expect(left([payment("replaced", "15", { erp_push_status: "reversed", reflected_at: AT })])[0]).toBe("25");
    const own = { origin: "local" as const, erp_invoice_open_balance: null };
    expect(left([payment(null, "12", { erp_push_status: null })], own)[0]).toBe("28");
  });

  it("cannot be asked for when it rounds to zero in the currency [completions.9.rounded-to-zero]", () => {
    const reason = (amount: string, currency: string) =>
      collectionFigures(invoice({ currency }), [part("a", amount)], [], new Set(["USD", "JPY", "KWD"])).installments[0]
        ?.not_collectible_reason;
    expect(reason("0.009", "USD")).toBe("nothing_outstanding");
    expect(reason("0.01", "USD")).toBeNull();
    expect(reason("0.99", "JPY")).toBe("nothing_outstanding");
    expect(reason("0.001", "KWD")).toBeNull();
  });

  it("names the first reason of several [completions.4.reasons]", () => {
    const everything = part("a", "0", { removed_at: AT, closed: true, excluded: true, disputed: true });
    const reasonOf = (facts: Partial<InvoiceFacts>, one: InstallmentFacts) =>
      collectionFigures(invoice(facts), [one], [], USD).installments[0]?.not_collectible_reason;
    const none = { customer_email: null, currency: "EUR", finalised: false };
    expect(reasonOf({ ...none, retired_at: AT }, everything)).toBe("retired");
    expect(reasonOf(none, everything)).toBe("removed");
    expect(reasonOf(none, { ...everything, removed_at: null })).toBe("not_finalised");
    expect(reasonOf({ ...none, finalised: true }, { ...everything, removed_at: null })).toBe("closed");
    expect(reasonOf({}, part("a", "0", { excluded: true, disputed: true }))).toBe("excluded");
    expect(reasonOf({}, part("a", "0", { disputed: true }))).toBe("disputed");
    expect(reasonOf({ customer_email: null, currency: "EUR" }, part("a", "1"))).toBe("no_billing_email");
    expect(reasonOf({ currency: null }, part("a", "1"))).toBe("currency_not_supported");
  });

  it("names the first reason that holds of an invoice without installments [completions.10.own-reason]", () => {
    const reasonOf = (facts: Partial<InvoiceFacts>, parts: InstallmentFacts[] = []) =>
      collectionFigures(invoice({ has_installments: parts.length > 0, ...facts }), parts, [], USD).invoice
        .not_collectible_reason;
    const none = { customer_email: null, currency: "EUR", finalised: false };
    expect(reasonOf({ ...none, retired_at: AT })).toBe("retired");
    expect(reasonOf(none)).toBe("not_finalised");
    expect(reasonOf({ ...none, finalised: true, erp_invoice_open_balance: "0.001" })).toBe("nothing_outstanding");
    expect(reasonOf({ ...none, finalised: true })).toBe("no_billing_email");
    expect(reasonOf({ currency: "EUR" })).toBe("currency_not_supported");
    expect(reasonOf({})).toBeNull();
    expect(reasonOf(none, [part("a", "1")])).toBeNull();
  });

  it("is dated by the earliest collectible installment alone [completions.6.due-date]", () => {
    const parts = [
      part("a", "10", { due_date: "2026-01-31", disputed: true }),
      part("b", "10", { due_date: "2026-03-31" }),
      part("c", "10", { due_date: "2026-02-28" }),
      part("d", "10", { due_date: null }),
    ];
    expect(collectionFigures(invoice(), parts, [], USD).invoice.collection_due_date).toBe("2026-02-28");
  });

  it("shows the worst push, a held one as pending [completions.6.push-state]", () => {
    const state = (...statuses: PaymentFacts["erp_push_status"][]) =>
      collectionFigures(
        invoice(),
        [part("a", "100")],
        statuses.map((erp_push_status) => payment("a", "1", { erp_push_status })),
        USD,
      ).invoice;
    expect(state()).toMatchObject({ erp_push_state: null, has_held_payment: false });
    expect(state("applied", "held")).toMatchObject({ erp_push_state: "pending", has_held_payment: true });
    expect(state("applied", "posted", "processing").erp_push_state).toBe("processing");
    expect(state("applied", "reversed", "pending").erp_push_state).toBe("reversed");
    expect(state("reversed", "failed").erp_push_state).toBe("failed");
  });
});
