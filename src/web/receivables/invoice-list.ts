import type { z } from "zod";
import { UNKNOWN_CURRENCY } from "../../core/aging/buckets.ts";
import type { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { Invoice } from "../../core/invoices/schema.ts";
import { money, ZERO } from "../../core/kernel/money.ts";
import { html, type Inserted } from "../kit/html.ts";
import { link } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { NOTHING, shownDay, unbroken } from "../lists/figures.ts";
import type { ListPage } from "../lists/list-pages.ts";
import { amountColumn, type Column, countColumn, overdueColumn, table } from "../lists/table.ts";
import { collectionChip, receiptChip, VALUE_WORDS } from "./terms.ts";

type InvoiceRow = z.output<typeof Invoice>;
type Answer = z.output<typeof listInvoices.output>;

/** An invoice's number, linked to its page. */
export function invoiceLink(id: string, number: string | null, { address }: WorkspaceVisit): Inserted {
  const isNamed = number !== null && number !== "";
  return html`<a href="${address(`/invoices/${id}`)}">${isNamed ? unbroken(number) : "Without a number"}</a>`;
}

/** A customer's name, linked to their page if they are known to the ERP. */
export function customerLink(
  customer: { id: string | null; name: string | null; number: string | null },
  { address }: WorkspaceVisit,
): Inserted {
  const name = customer.name ?? customer.number;
  if (customer.id === null) return name ?? NOTHING;
  return html`<a href="${address(`/customers/${customer.id}`)}">${name ?? "Without a name"}</a>`;
}

/** The invoice and the customer that a row is of. */
export const INVOICE_OF: Column<{ readonly invoice_id: string; readonly invoice_number: string | null }> = {
  head: "Invoice",
  cell: (row, visit) => invoiceLink(row.invoice_id, row.invoice_number, visit),
};
export const CUSTOMER_OF: Column<{ readonly customer: Parameters<typeof customerLink>[0] }> = {
  head: "Customer",
  cell: ({ customer }, visit) => customerLink(customer, visit),
};
export const CUSTOMER_NAME_OF: Column<{ readonly customer_name: string | null }, unknown> = {
  head: "Customer",
  cell: ({ customer_name: name }) => name ?? NOTHING,
};

const INVOICE: Column<InvoiceRow> = {
  head: "Invoice",
  cell: ({ id, invoice_number: number }, visit) => invoiceLink(id, number, visit),
};
const AMOUNTS: readonly Column<InvoiceRow>[] = [
  amountColumn("Total", "total_amount"),
  amountColumn("Outstanding", "collection_outstanding"),
  overdueColumn("Overdue", "overdue_outstanding"),
];
/** When an invoice is due: what is collectible of it, or else as the ERP has it. */
export function dueDateOf({ collection_due_date: date, due_date: ofErp }: InvoiceRow): string | null {
  return date ?? ofErp;
}

const DUE: Column<InvoiceRow> = { head: "Due", cell: (row) => shownDay(dueDateOf(row)) };
const STATUS: Column<InvoiceRow> = {
  head: "Status",
  cell: (row) => [
    collectionChip(row.collection_status, row.collection_outstanding),
    row.has_active_payment_link === true && html` <span class="quiet">Active link</span>`,
  ],
};

/** The columns of a customer's invoices. */
export const INVOICES_OF_CUSTOMER: readonly Column<InvoiceRow>[] = [INVOICE, DUE, STATUS, ...AMOUNTS];

const COLUMNS: readonly Column<InvoiceRow>[] = [
  INVOICE,
  CUSTOMER_OF,
  DUE,
  STATUS,
  {
    head: "Receipt",
    cell: ({ erp_push_state: state }) => (state === null ? NOTHING : receiptChip(state)),
  },
  ...AMOUNTS,
];

type Total = NonNullable<Answer["totals"]>[number];
const TOTALS: readonly Column<Total>[] = [
  {
    head: "Totals",
    cell: ({ currency }, { address }) =>
      currency === UNKNOWN_CURRENCY ? currency : html`<a href="${address("/invoices", { currency })}">${currency}</a>`,
  },
  countColumn("Invoices", "count"),
  amountColumn("Total", "total_amount"),
  amountColumn("Outstanding", "collection_outstanding"),
  amountColumn("Overdue", "overdue_outstanding"),
  amountColumn("Collected", "amount_collected"),
];

/** `/invoices`: the list of the API, with its filters and sorts. */
export const INVOICE_LIST: ListPage<InvoiceRow, Answer> = {
  path: "/invoices",
  title: "Invoices",
  one: "invoice",
  many: "invoices",
  intro: "What the ERP has and what was made here, with what is still to collect.",
  operation: listInvoices,
  dated: ({ data }) => data.map(({ currency, last_synced_at: as_of }) => ({ currency, as_of })),
  row: Invoice,
  filters: {
    first: ["search", "collection_status", "overdue", "currency", "sort"],
    labels: {
      search: "Number or customer",
      collection_status: "Status",
      erp_push_state: "Receipt",
      has_active_payment_link: "Has an active link",
      min_outstanding: "Outstanding at least",
      due_before: "Due until",
      due_after: "Due from",
      updated_since: "Changed since",
      connection_id: "ERP connection",
      order: "Order of creation",
    },
    values: {
      ...VALUE_WORDS,
      created: "Newest first",
      outstanding_desc: "Most outstanding",
      overdue_desc: "Most overdue",
      due_asc: "Due first",
    },
  },
  columns: COLUMNS,
  totals: ({ totals = [] }, visit) =>
    totals.length === 0
      ? null
      : html`${table({ caption: "Totals", columns: TOTALS, rows: totals, visit, look: "totals" })}
<p class="quiet">Includes what the ERP no longer has or left without a due date; the overview and aging do not.</p>`,
  chip: (name, { customer }) => (name === "customer_id" ? (customer.name ?? customer.number) : null),
  begin: ({ address }) => html`<a class="button" href="${address("/invoices/new")}">New invoice</a>`,
  empty: (visit) => [
    "There are no invoices yet.",
    visit.isAdmin
      ? html`${link("/erp-connections", "Connect an ERP")}: the first sync brings them in. Or
${visit.link("/invoices/new", "create one")} that no ERP has.`
      : "An admin of the workspace connects the ERP that they come from.",
  ],
};

type InvoiceDetail = z.output<typeof getInvoice.output>;
type Installment = InvoiceDetail["installments"][number];

/** Whether people can change an invoice: one made in the service that is not void. */
export function isEditable({ origin, voided_at: voidedAt }: Pick<InvoiceDetail, "origin" | "voided_at">): boolean {
  return origin === "local" && voidedAt === null;
}

/** Installments of an invoice that a link can be made for now. */
export function linkable({ installments }: InvoiceDetail): Installment[] {
  return installments.filter((one) => one.collectible && money(one.available_amount).greaterThan(ZERO));
}
