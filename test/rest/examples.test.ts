import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Bucket, bucketOf } from "../../src/core/aging/buckets.ts";
import { CustomerAging, InstallmentAging } from "../../src/core/aging/schema.ts";
import { collectionFigures } from "../../src/core/collection/collection-figures.ts";
import { Invoice, InvoiceWithInstallments } from "../../src/core/invoices/schema.ts";
import { addDays } from "../../src/core/kernel/calendar.ts";
import { fromMinor, money, sum } from "../../src/core/kernel/money.ts";
import { PaymentLink } from "../../src/core/payment-links/schema.ts";
import { Payment } from "../../src/core/payments/schema.ts";
import { SyncRun } from "../../src/core/sync-runs/schema.ts";
import { receiptNumberOf } from "../../src/gateways/erp/receipt-number.ts";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import { ROUTES } from "../../src/rest/routes.ts";

const Example = z.object({ "application/json": z.object({ example: z.unknown().optional() }) });
const Described = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string().optional(), example: z.unknown().optional() })),
  requestBody: z.object({ content: Example }).optional(),
  responses: z.record(z.string(), z.object({ content: Example.optional().catch(undefined) })),
});
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Described)) });

const described = Object.values(Document.parse(openApiDocument(ROUTES, "https://receivables.example.test")).paths)
  .flatMap((methods) => Object.values(methods))
  .map((one) => ({
    id: one.operationId,
    asked: { ...Object.fromEntries(one.parameters.map(({ name = "", example }) => [name, example])) },
    body: one.requestBody?.content["application/json"].example,
    answer: Object.entries(one.responses).find(([status]) => status.startsWith("2"))?.[1].content?.["application/json"]
      .example,
  }));

const of = (id: string) => {
  const found = described.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};
const listed = <T extends z.ZodType>(id: string, row: T) => z.object({ data: z.array(row) }).parse(of(id).answer).data;

const invoices = listed("listInvoices", Invoice);
const invoice = InvoiceWithInstallments.parse(of("getInvoice").answer);
const links = listed("listPaymentLinks", PaymentLink);
const payments = listed("listPayments", Payment);
const runs = [...listed("listSyncRuns", SyncRun), SyncRun.parse(of("getSyncRun").answer)];
const aging = CustomerAging.parse(of("listCustomerAging").answer);
const parts = InstallmentAging.parse(of("listAgingInstallments").answer);

/** Every value in an example, with the name of the field it stands in. */
function* fieldsIn(value: unknown, name = ""): Generator<{ name: string; value: unknown; holder?: object }> {
  yield { name, value };
  if (Array.isArray(value)) for (const item of value) yield* fieldsIn(item, name);
  else if (typeof value === "object" && value !== null)
    for (const [field, member] of Object.entries(value)) yield* fieldsIn(member, field);
}
const objects = [...fieldsIn(described)].flatMap(({ value }) => (typeof value === "object" && value ? [value] : []));
const having = <S extends z.ZodObject>(shape: S): z.output<S>[] =>
  objects.flatMap((one) => {
    const { data } = shape.safeParse(one);
    return data === undefined ? [] : [data];
  });

describe("the examples of the description can occur", () => {
  it.each(ROUTES.map(({ operation }) => operation))(
    "$id takes its example and answers it [service.9.examples]",
    ({ id, input, output }) => {
      const { answer, body, asked } = of(id);
      expect(output.safeParse(answer).error).toBeUndefined();
      const names = Object.entries(asked).map(([name, value]) => [
        name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
        value,
      ]);
      const given = Object.fromEntries(names.filter(([name]) => String(name) in input.shape));
      expect(
        input.safeParse({ ...given, ...z.record(z.string(), z.unknown()).parse(body ?? {}) }).error,
      ).toBeUndefined();
    },
  );

  it("counts and pages as lists do [service.9.examples]", () => {
    const pages = having(z.object({ data: z.array(z.unknown()), pagination: z.looseObject({ limit: z.int() }) }));
    expect(pages.length).toBeGreaterThan(9);
    for (const { data, pagination } of pages) {
      expect(pagination.total_count).toBe(data.length);
      expect(data.length).toBeLessThanOrEqual(pagination.limit);
      expect(pagination.next_cursor).toBeNull();
      if ("has_more" in pagination) expect(pagination.has_more).toBe(false);
    }
    const orders = having(z.object({ data: z.array(z.object({ created_at: z.string() })) }));
    for (const { data } of orders)
      expect(data).toEqual(data.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)));
  });

  it("derives an invoice's figures from its installments and payments [service.9.examples]", () => {
    const shown = invoices.find(({ id }) => id === invoice.id);
    expect(invoice).toEqual({ ...invoice, ...shown });
    const paid = payments.filter((payment) => payment.invoice_id === invoice.id);
    const figures = collectionFigures(
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
      invoice.installments.map((part) => ({
        installment_id: part.id,
        sequence_number: part.sequence_number,
        due_date: part.due_date,
        original_amount: part.original_amount,
        erp_outstanding: part.erp_installment_outstanding_amount,
        closed: part.not_collectible_reason === "closed",
        disputed: false,
        excluded: false,
        removed_at: null,
      })),
      // The run after its receipt was applied has read the balance.
      paid.map((payment) => ({ ...payment, reflected_at: payment.erp_push_status === "applied" ? "later" : null })),
      new Set(["EUR", "USD"]),
    );
    expect({
      collection_status: invoice.collection_status,
      collection_due_date: invoice.collection_due_date,
      erp_push_state: invoice.erp_push_state,
      collection_outstanding: money(invoice.collection_outstanding),
      amount_collected: money(invoice.amount_collected),
    }).toEqual({
      collection_status: figures.invoice.collection_status,
      collection_due_date: figures.invoice.collection_due_date,
      erp_push_state: figures.invoice.erp_push_state,
      collection_outstanding: money(figures.invoice.collection_outstanding),
      amount_collected: money(figures.invoice.amount_collected),
    });
    expect(
      invoice.installments.map(({ collectible, not_collectible_reason }) => ({ collectible, not_collectible_reason })),
    ).toEqual(
      figures.installments.map(({ collectible, not_collectible_reason }) => ({ collectible, not_collectible_reason })),
    );
    expect(sum(invoice.installments.map((part) => money(part.original_amount ?? "0")))).toEqual(
      money(invoice.total_amount ?? "0"),
    );
    for (const part of invoice.installments) {
      const live = links.filter((link) => link.installment_id === part.id && link.status === "active");
      const asked = sum(live.map((link) => fromMinor(BigInt(link.amount_minor), link.currency) ?? money("0")));
      expect(money(part.available_amount)).toEqual(money(part.collection_outstanding).minus(asked));
    }
    for (const one of invoices)
      expect(one.has_active_payment_link).toBe(
        links.some(({ invoice_id, status }) => invoice_id === one.id && status === "active"),
      );
  });

  it("has links, emails and payments whose states and dates agree [service.9.examples]", () => {
    const all = having(PaymentLink);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["active", "paid", "deactivated"]));
    for (const link of all) {
      expect(link.paid_at !== null).toBe(link.status === "paid");
      expect(link.deactivated_at !== null).toBe(link.status === "deactivated");
      for (const end of [link.paid_at, link.deactivated_at]) if (end !== null) expect(end > link.created_at).toBe(true);
      expect(link.email !== null).toBe(link.created_by.kind === "workflow");
      expect(link.email?.sent_at ?? null).toBeNull();
      if (link.email !== null) expect(link.email.send_at > link.created_at).toBe(true);
      expect(payments.filter((payment) => payment.payment_link_id === link.id)).toHaveLength(
        link.status === "paid" ? 1 : 0,
      );
    }
    expect(payments.length).toBeGreaterThan(0);
    for (const payment of payments) {
      const link = links.find(({ id }) => id === payment.payment_link_id);
      expect(payment).toMatchObject({
        invoice_id: link?.invoice_id,
        installment_id: link?.installment_id,
        amount_minor: link?.amount_minor,
        currency: link?.currency,
        paid_at: link?.paid_at,
        erp_receipt_number: receiptNumberOf(payment.id),
      });
      expect(fromMinor(BigInt(payment.amount_minor), payment.currency)).toEqual(money(payment.amount));
      expect(payment.paid_at <= payment.confirmed_at && payment.confirmed_at <= payment.created_at).toBe(true);
      expect(payment.refunded_minor).toBeLessThanOrEqual(payment.amount_minor);
    }
  });

  it("adds aging up, of the same debt as the invoices [service.9.examples]", () => {
    const BUCKETS = ["current", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const satisfies Bucket[];
    for (const row of [...aging.totals, ...aging.data]) {
      const buckets = BUCKETS.map((bucket) => money(row[bucket]));
      expect(sum(buckets)).toEqual(money(row.outstanding));
      expect(sum(buckets.slice(1))).toEqual(money(row.overdue));
    }
    expect(z.object({ totals: z.unknown() }).parse(of("summarizeAging").answer).totals).toEqual(aging.totals);
    expect(parts.totals).toEqual(aging.totals);
    for (const total of aging.totals) {
      const ofCurrency = parts.data.filter(({ currency }) => currency === total.currency);
      expect(sum(ofCurrency.map(({ amount }) => money(amount)))).toEqual(money(total.outstanding));
      const owed = invoices.filter(({ currency }) => currency === total.currency);
      expect(sum(owed.map((one) => money(one.collection_outstanding)))).toEqual(money(total.outstanding));
    }
    for (const part of parts.data) {
      const days = part.days_overdue ?? 0;
      expect([addDays(part.due_date ?? "", days), part.bucket]).toEqual([parts.report_date, bucketOf(days)]);
    }
  });

  it("has times in their order, and a run that ended where it says so [service.9.examples]", () => {
    for (const run of runs) expect(run.finished_at !== null).toBe(run.status !== "running");
    const Times = z.looseObject({
      created_at: z.string(),
      updated_at: z.string().optional(),
      last_synced_at: z.string().nullish(),
    });
    for (const { created_at, updated_at = created_at, last_synced_at } of having(Times))
      expect([created_at, updated_at, last_synced_at ?? updated_at].toSorted()).toEqual([
        created_at,
        updated_at,
        last_synced_at ?? updated_at,
      ]);
    const Spans = z.looseObject({ started_at: z.string(), finished_at: z.string() });
    for (const { started_at, finished_at } of having(Spans)) expect(started_at < finished_at).toBe(true);
  });

  it("refers by its ids to what it shows, each of one thing [service.9.examples]", () => {
    const kinds = new Map<string, string>();
    const own = described
      .filter(({ id }) => id.startsWith("list"))
      .flatMap(({ id, answer }) => {
        const rows = z.object({ data: z.array(z.looseObject({ id: z.string().optional() })) }).parse(answer).data;
        return rows.map((row) => [row.id, id] as const);
      });
    for (const [row, kind] of own)
      if (row !== undefined) {
        expect([undefined, kind]).toContain(kinds.get(row));
        kinds.set(row, kind);
      }
    const OWNERS: Record<string, string> = {
      invoice_id: "listInvoices",
      payment_link_id: "listPaymentLinks",
      payment_id: "listPayments",
      payment_integration_id: "listPaymentIntegrations",
      connection_id: "listErpConnections",
      sync_run_id: "listSyncRuns",
      workflow_id: "listWorkflows",
    };
    for (const { name, value } of fieldsIn(described))
      if (name in OWNERS && typeof value === "string") expect([name, kinds.get(value)]).toEqual([name, OWNERS[name]]);
  });
});
