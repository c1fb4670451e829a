import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Bucket, bucketOf } from "../../src/core/aging/buckets.ts";
import { AgingSummary, CustomerAging, InstallmentAging } from "../../src/core/aging/schema.ts";
import { collectionFigures } from "../../src/core/collection/collection-figures.ts";
import { Invoice, InvoiceTotal } from "../../src/core/invoices/schema.ts";
import { AmountTotal } from "../../src/core/kernel/amount-totals.ts";
import { addDays } from "../../src/core/kernel/calendar.ts";
import { fromMinor, money, sum } from "../../src/core/kernel/money.ts";
import { PaymentLink } from "../../src/core/payment-links/schema.ts";
import { Payment } from "../../src/core/payments/schema.ts";
import { Task } from "../../src/core/tasks/schema.ts";
import { receiptNumberOf } from "../../src/gateways/erp/receipt-number.ts";
import { exampleOf, listed } from "./examples.ts";

const invoices = listed("listInvoices", Invoice);
const links = listed("listPaymentLinks", PaymentLink);
const payments = listed("listPayments", Payment);
const aging = CustomerAging.parse(exampleOf("listCustomerAging").answer);
const parts = InstallmentAging.parse(exampleOf("listAgingInstallments").answer);
const summary = AgingSummary.parse(exampleOf("summarizeAging").answer);

const add = (amounts: readonly (string | null)[]) => sum(amounts.map((amount) => money(amount ?? "0")));
const totalsOf = <T extends z.ZodType>(id: string, total: T) =>
  z.object({ totals: z.array(total) }).parse(exampleOf(id).answer).totals;

describe("the amounts of the examples agree", () => {
  it.each(invoices.map((invoice) => [invoice.invoice_number, invoice] as const))(
    "%s has the figures of its installments and payments [service.9.examples]",
    (_number, invoice) => {
      const paid = payments.filter((payment) => payment.invoice_id === invoice.id);
      const installments = invoice.installments ?? [];
      const { invoice: figures, installments: lines } = collectionFigures(
        {
          origin: invoice.origin,
          finalised: true,
          retired_at: null,
          currency: invoice.currency,
          customer_email: invoice.customer.email,
          total_amount: invoice.total_amount,
          erp_invoice_open_balance: invoice.erp_invoice_open_balance,
          has_installments: true,
        },
        installments.map((part) => ({
          installment_id: part.id,
          sequence_number: part.sequence_number,
          due_date: part.due_date,
          original_amount: part.original_amount,
          erp_outstanding: part.erp_installment_outstanding_amount,
          closed: part.not_collectible_reason === "closed",
          disputed: part.not_collectible_reason === "disputed",
          excluded: false,
          removed_at: null,
        })),
        // The run after its receipt was applied has read the balance.
        paid.map((payment) => ({ ...payment, reflected_at: payment.erp_push_status === "applied" ? "later" : null })),
        new Set(["EUR", "USD"]),
      );
      expect(invoice).toMatchObject({
        collection_status: figures.collection_status,
        collection_due_date: figures.collection_due_date,
        erp_push_state: figures.erp_push_state,
        has_held_payment: paid.some((payment) => payment.erp_push_status === "held"),
      });
      expect(money(invoice.collection_outstanding)).toEqual(money(figures.collection_outstanding));
      expect(money(invoice.amount_collected)).toEqual(money(figures.amount_collected));
      expect(
        installments.map(({ collectible, not_collectible_reason }) => ({ collectible, not_collectible_reason })),
      ).toEqual(lines.map(({ collectible, not_collectible_reason }) => ({ collectible, not_collectible_reason })));
      expect(add(installments.map((part) => part.original_amount))).toEqual(money(invoice.total_amount ?? "0"));
      expect(add(installments.map((part) => part.collection_outstanding))).toEqual(
        money(invoice.collection_outstanding),
      );
      for (const part of installments) {
        const live = links.filter((link) => link.installment_id === part.id && link.status === "active");
        const left = money(part.collection_outstanding).minus(add(live.map((link) => link.amount)));
        expect(money(part.available_amount)).toEqual(left);
      }
      const open = installments.filter(({ collectible }) => collectible);
      expect(add(open.map((part) => part.available_amount))).toEqual(money(invoice.available_amount));
      expect(invoice.has_active_payment_link).toBe(
        links.some(({ invoice_id, status }) => invoice_id === invoice.id && status === "active"),
      );
      const rows = parts.data.filter((row) => row.invoice_id === invoice.id);
      expect(add(rows.map((row) => row.outstanding))).toEqual(money(invoice.collection_outstanding));
      expect(add(rows.filter((row) => row.bucket !== "current").map((row) => row.outstanding))).toEqual(
        money(invoice.overdue_outstanding),
      );
      for (const row of rows) {
        const part = installments.find(({ id }) => id === row.installment_id);
        expect(row).toMatchObject({
          sequence_number: part?.sequence_number,
          invoice_installment_count: installments.length,
          outstanding: part?.collection_outstanding,
          available_amount: part?.available_amount,
          due_date: part?.due_date,
          not_collectible_reason: part?.not_collectible_reason,
        });
      }
      for (const task of listed("listTasks", Task).filter((one) => one.invoice_id === invoice.id))
        expect(task.collection_outstanding).toBe(invoice.collection_outstanding);
    },
  );

  it("has payments of what their links asked for [service.9.examples]", () => {
    expect(payments.length).toBeGreaterThan(1);
    expect(new Set(payments.map((payment) => payment.payment_link_id))).toEqual(
      new Set(links.filter(({ status }) => status === "paid").map(({ id }) => id)),
    );
    for (const payment of payments) {
      const link = links.find(({ id }) => id === payment.payment_link_id);
      const isInErp = payment.erp_push_status === "applied" || payment.erp_push_status === "posted";
      expect(payment).toMatchObject({
        invoice_id: link?.invoice_id,
        installment_id: link?.installment_id,
        amount_minor: link?.amount_minor,
        currency: link?.currency,
        paid_at: link?.paid_at,
        erp_receipt_number: isInErp ? receiptNumberOf(payment.id) : null,
      });
      expect(payment.paid_at <= payment.confirmed_at && payment.confirmed_at <= payment.created_at).toBe(true);
      expect(payment.refunded_minor).toBeLessThanOrEqual(payment.amount_minor);
    }
    const single = z.object({ body: z.object({}).loose(), answer: PaymentLink }).parse(exampleOf("createPaymentLink"));
    const batch = z
      .object({
        body: z.object({ links: z.array(z.object({}).loose()) }),
        answer: z.object({ data: z.array(PaymentLink) }),
      })
      .parse(exampleOf("createPaymentLinks"));
    expect(single.answer).toMatchObject(single.body);
    expect(batch.answer.data).toMatchObject(batch.body.links);
    for (const one of [...payments, ...links])
      expect(fromMinor(BigInt(one.amount_minor), one.currency)).toEqual(money(one.amount));
  });

  it("adds lists up in their totals [service.9.examples]", () => {
    const ofInvoices = totalsOf("listInvoices", InvoiceTotal);
    for (const { currency, count, ...sums } of ofInvoices) {
      const rows = invoices.filter((one) => one.currency === currency);
      expect(count).toBe(rows.length);
      for (const field of [
        "total_amount",
        "collection_outstanding",
        "overdue_outstanding",
        "amount_collected",
      ] as const)
        expect([field, add(rows.map((row) => row[field]))]).toEqual([field, money(sums[field])]);
    }
    for (const [id, all] of [
      ["listPaymentLinks", links],
      ["listPayments", payments],
    ] as const) {
      const totals = totalsOf(id, AmountTotal);
      expect(totals.map(({ currency }) => currency).sort()).toEqual(
        [...new Set(all.map((one) => one.currency))].sort(),
      );
      for (const { currency, count, amount } of totals) {
        const rows = all.filter((one) => one.currency === currency);
        expect([count, add(rows.map((row) => row.amount))]).toEqual([rows.length, money(amount)]);
      }
    }
  });

  it("adds aging up, of the same debts as the invoices [service.9.examples]", () => {
    const BUCKETS = ["current", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const satisfies Bucket[];
    for (const row of [...aging.totals, ...aging.data]) {
      expect(add(BUCKETS.map((bucket) => row[bucket]))).toEqual(money(row.outstanding));
      expect(add(BUCKETS.slice(1).map((bucket) => row[bucket]))).toEqual(money(row.overdue));
    }
    expect([summary.totals, parts.totals]).toEqual([aging.totals, aging.totals]);
    for (const total of aging.totals) {
      const of = <T extends { currency: string | null }>(rows: readonly T[]) =>
        rows.filter(({ currency }) => currency === total.currency);
      expect(add(of(invoices).map((one) => one.collection_outstanding))).toEqual(money(total.outstanding));
      for (const field of ["outstanding", "overdue", ...BUCKETS] as const)
        expect([field, add(of(aging.data).map((row) => row[field]))]).toEqual([field, money(total[field])]);
      for (const field of ["outstanding", "overdue"] as const)
        expect([field, add(of(summary.groups ?? []).map((group) => group[field]))]).toEqual([
          field,
          money(total[field]),
        ]);
    }
    for (const row of aging.data) {
      const own = parts.data.filter((one) => one.customer_key === row.customer_key && one.currency === row.currency);
      for (const bucket of BUCKETS)
        expect([bucket, add(own.filter((one) => one.bucket === bucket).map((one) => one.outstanding))]).toEqual([
          bucket,
          money(row[bucket]),
        ]);
      expect(row).toMatchObject({
        installment_count: own.length,
        invoice_count: new Set(own.map((one) => one.invoice_id)).size,
        max_days_overdue: Math.max(0, ...own.map((one) => one.days_overdue ?? 0)) || null,
      });
    }
    expect(parts.data).toEqual(parts.data.toSorted((a, b) => ((a.due_date ?? "") < (b.due_date ?? "") ? -1 : 1)));
    for (const part of parts.data) {
      const days = part.days_overdue ?? 0;
      expect([addDays(part.due_date ?? "", days), part.bucket]).toEqual([parts.report_date, bucketOf(days)]);
      expect(part.amount).toBe(part.outstanding);
    }
  });
});
