import type { z } from "zod";
import type { AmountTotal } from "../../core/kernel/amount-totals.ts";
import { readableMinor } from "../../core/mail/readable.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import { Payment } from "../../core/payments/schema.ts";
import { type Html, html } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { chip, NOTHING, shownAmount, unbroken } from "../lists/figures.ts";
import type { ListPage } from "../lists/list-pages.ts";
import { amountColumn, type Column, countColumn, table } from "../lists/table.ts";
import { CUSTOMER_OF, INVOICE_OF } from "./invoice-list.ts";
import { receiptChip, VALUE_WORDS } from "./terms.ts";

type PaymentRow = z.output<typeof Payment>;
type Answer = z.output<typeof listPayments.output>;

const PAID: Column<PaymentRow> = {
  head: "Paid",
  cell: ({ id, paid_at: at }, { address, workspace }) =>
    html`<a href="${address(`/payments/${id}`)}">${timeElement(at, workspace.timezone)}</a>`,
};
const REST: readonly Column<PaymentRow>[] = [
  {
    head: "Receipt in the ERP",
    cell: ({ erp_push_status: status, erp_push_error: error }) => [
      status === null ? NOTHING : receiptChip(status),
      error !== null && html`<div class="quiet">${error}</div>`,
    ],
  },
  {
    head: "Receipt number",
    cell: ({ erp_receipt_number: number }) =>
      number === null ? NOTHING : html`<span class="receipt">${unbroken(number)}</span>`,
  },
  {
    head: "Amount",
    kind: "number",
    cell: (row) => [
      shownAmount(row.amount, row.currency),
      row.refunded_minor > 0 &&
        html`<div class="quiet">${readableMinor(BigInt(row.refunded_minor), row.currency)} refunded</div>`,
      row.disputed && html`<div>${chip("Disputed", "failed")}</div>`,
    ],
  },
];

/** The columns of an invoice's payments. */
export const PAYMENT_OF_INVOICE: readonly Column<PaymentRow>[] = [PAID, ...REST];

/** The columns of a customer's payments. */
export const PAYMENTS_OF_CUSTOMER: readonly Column<PaymentRow>[] = [INVOICE_OF, PAID, ...REST];

type Total = z.output<typeof AmountTotal>;

/** What all rows of a list of amounts come to; `counted` is what they are. */
export function totalsTable(counted: string, rows: readonly Total[] = [], visit: WorkspaceVisit): Html | null {
  const columns: readonly Column<Total>[] = [
    { head: "Totals", cell: ({ currency }) => currency },
    countColumn(counted, "count"),
    amountColumn("Amount", "amount"),
  ];
  return rows.length === 0 ? null : table({ caption: "Totals", columns, rows, visit, look: "totals" });
}

/** `/payments`: payments through links, and the state of their receipts in the ERP. */
export const PAYMENT_LIST: ListPage<PaymentRow, Answer> = {
  path: "/payments",
  title: "Payments",
  one: "payment",
  many: "payments",
  intro: "What customers paid through payment links, and how the receipts stand in the ERP.",
  operation: listPayments,
  row: Payment,
  filters: {
    first: ["erp_push_status", "invoice_number", "paid_from", "paid_to"],
    without: ["confirmed_since", "confirmed_before"],
    labels: {
      erp_push_status: "Receipt",
      paid_from: "Paid from",
      paid_to: "Paid to",
      erp_receipt_number: "Receipt number",
      connection_id: "ERP connection",
    },
    values: VALUE_WORDS,
  },
  days: { paid_date: ({ paid_at: at }) => at },
  columns: [INVOICE_OF, CUSTOMER_OF, PAID, ...REST],
  totals: ({ totals }, visit) => totalsTable("Payments", totals, visit),
  chip: (name, row) => (name === "customer_id" ? row.customer.name : name === "invoice_id" ? row.invoice_number : null),
  empty: (visit) => {
    const open = (words: string): Html => visit.link("/invoices", words, { collection_status: "open" });
    const make = ["Make a payment link for an ", open("open invoice"), ", or let an assistant or a workflow do it."];
    return ["Nobody has paid through a link yet.", visit.isAdmin ? make : ["See what is ", open("open"), "."]];
  },
};
