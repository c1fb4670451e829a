import type { z } from "zod";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import type { Invoice } from "../../core/invoices/schema.ts";
import { money, ZERO } from "../../core/kernel/money.ts";
import { UNNAMED_CUSTOMER } from "../../core/kernel/text.ts";
import { aside, buttonLink, html, inWords, link } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import {
  amountColumn,
  type Column,
  column,
  countColumn,
  overdueColumn,
  pagesOfList,
  shownDay,
  textColumn,
  unbroken,
} from "../lists/list.ts";
import { collectionChip, REASON_WORDS, receiptChip, VALUE_WORDS } from "./terms.ts";

type InvoiceRow = z.output<typeof Invoice>;

/** An invoice's number, linked to its page. */
export function invoiceLink(id: string, number: string | null, visit: WorkspaceVisit) {
  return visit.link(`/invoices/${id}`, number ? unbroken(number) : "Without a number");
}

/** A customer's name, linked to their page if they are known to the ERP. */
export function customerLink(
  { id, name, number }: { id: string | null; name: string | null; number: string | null },
  visit: WorkspaceVisit,
) {
  const called = name ?? number;
  return id === null ? called : visit.link(`/customers/${id}`, called ?? UNNAMED_CUSTOMER);
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
export const CUSTOMER_NAME_OF = textColumn("Customer", "customer_name");
export const customerOf = (
  row: { readonly customer_id: string | null; readonly customer_name: string | null },
  visit: WorkspaceVisit,
) => customerLink({ id: row.customer_id, name: row.customer_name, number: null }, visit);
export const CUSTOMER_BY_NAME: Column<Parameters<typeof customerOf>[0]> = { head: "Customer", cell: customerOf };

/** When an invoice is due: what is collectible of it, or else as the ERP has it, or its first installment. */
export function dueDateOf({ collection_due_date: date, due_date: ofErp, installments = [] }: InvoiceRow) {
  const [first = null] = installments.flatMap(({ due_date: due }) => due ?? []).sort();
  return date ?? ofErp ?? first;
}

const OUTSTANDING = [
  amountColumn("Total", "total_amount"),
  amountColumn("Outstanding", "collection_outstanding"),
] as const;
const INVOICE: Column<InvoiceRow> = {
  ...INVOICE_OF,
  cell: (row, visit) => invoiceLink(row.id, row.invoice_number, visit),
};
const STATE: readonly Column<InvoiceRow>[] = [
  column("Invoice date", "invoice_date", shownDay),
  { head: "Due", cell: (row) => shownDay(dueDateOf(row)) },
  {
    head: "Status",
    cell: (row) => [
      collectionChip(row),
      row.has_active_payment_link === true && [" ", aside("Active link")],
      reasonsOf(row).map((reason) => html`<div class="quiet">${REASON_WORDS[reason]}</div>`),
    ],
  },
];
const AMOUNTS: readonly Column<InvoiceRow>[] = [...OUTSTANDING, overdueColumn("Overdue", "overdue_outstanding")];

/** Why what an invoice owes cannot be collected, where it was read with its installments: not all of that is aged. */
function reasonsOf({ collection_status: status, installments = [] }: InvoiceRow) {
  const owing = installments.filter((one) => status === "inactive" && !money(one.collection_outstanding).isZero());
  return [...new Set(owing.flatMap((one) => one.not_collectible_reason ?? []))];
}

/** Whether aging leaves out what an invoice owes; so does it what has no due date. */
export const isNotAged = (row: InvoiceRow) =>
  reasonsOf(row).some((reason) => reason === "retired" || reason === "closed");

/** The columns of a customer's invoices. */
export const INVOICES_OF_CUSTOMER = [INVOICE, ...STATE, ...AMOUNTS];

/** `/invoices`: the list of the API, with its filters and sorts. */
export const INVOICE_LIST = pagesOfList({
  path: "/invoices",
  title: "Invoices",
  one: "invoice",
  intro: "What the ERP has and what was made here, with what is still to collect.",
  operation: listInvoices,
  dated: ({ data }) => data.map(({ currency, last_synced_at: as_of }) => ({ currency, as_of })),
  datesOf: "Rows on this page",
  heads: { available_amount: "A link can be made for" },
  filters: {
    first: ["search", "collection_status", "overdue", "currency", "sort"],
    labels: {
      collection_status: "Status",
      erp_push_state: "Receipt",
      has_active_payment_link: "Has an active link",
      min_outstanding: "Outstanding at least",
      due_before: "Due until",
      due_after: "Due from",
      collection_updated_since: "Collection changed since",
      min_overdue: "Overdue at least",
      amount: "Total exactly",
      ever_had_payment_link: "Ever had a link",
      has_available: "A link can be made",
      order: "Sort by creation",
    },
    values: {
      ...VALUE_WORDS,
      created: "Latest added",
      outstanding_desc: "Most outstanding",
      overdue_desc: "Most overdue",
      due_asc: "Due first",
      invoice_date_desc: "Latest invoice date",
    },
  },
  columns: [INVOICE, CUSTOMER_OF, ...STATE, column("Receipt", "erp_push_state", receiptChip), ...AMOUNTS],
  totals: {
    columns: [
      countColumn("Invoices", "count"),
      ...OUTSTANDING,
      amountColumn("Overdue", "overdue_outstanding"),
      amountColumn(inWords("amount_collected"), "amount_collected"),
    ],
    note: (visit) => ["The overview and the aging leave some of it out: ", visit.link("/bridge", "see what and why")],
  },
  begin: ({ address }) => buttonLink(address("/invoices/new"), "New invoice", ""),
  empty: (visit) => [
    "There are no invoices yet.",
    visit.isAdmin
      ? html`${link("/erp-connections", "Connect an ERP")}: the first sync brings them in. Or
${visit.link("/invoices/new", "create one")} that no ERP has.`
      : "An admin of the workspace connects the ERP that they come from.",
  ],
});

/** The invoice in the address, with its installments. Throws `not_found`. */
export const invoiceIn = (visit: WorkspaceVisit) =>
  visit.call(getInvoice, { invoice_id: visit.id("invoiceId", "invoice") });
export type InvoiceDetail = Awaited<ReturnType<typeof invoiceIn>>;

/** Whether people can change an invoice: one made in the service that is not void. */
export function isEditable({ origin, voided_at: voidedAt }: Pick<InvoiceDetail, "origin" | "voided_at">) {
  return origin === "local" && voidedAt === null;
}

/** What an installment is called among those of its invoice: "2 of 3". One that was removed is not counted. */
export function whichOf(number: number, installments: InvoiceDetail["installments"]) {
  const count = installments.filter(({ not_collectible_reason: reason }) => reason !== "removed").length;
  return count > 1 && number <= count ? `${number} of ${count}` : String(number);
}

/** Installments of an invoice that a link can be made for now. */
export function linkable({ installments }: InvoiceDetail) {
  return installments.filter((one) => one.collectible && money(one.available_amount).greaterThan(ZERO));
}
