import type { z } from "zod";
import { readableMinor } from "../../core/mail/readable.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import type { Payment } from "../../core/payments/schema.ts";
import { html, NOTHING } from "../kit/markup.ts";
import {
  amountColumn,
  type Column,
  chip,
  column,
  countColumn,
  pagesOfList,
  shownAmount,
  textColumn,
  timeColumn,
  timeLinkColumn,
  unbroken,
} from "../lists/list.ts";
import { CUSTOMER_OF, INVOICE_OF } from "./invoice-list.ts";
import { receiptChip, VALUE_WORDS } from "./terms.ts";

type PaymentRow = z.output<typeof Payment>;

const PAID_AMOUNT: Column<PaymentRow> = {
  head: "Amount",
  kind: "number",
  cell: (row) => [
    shownAmount(row.amount, row.currency),
    row.refunded_minor > 0 &&
      html`<div class="quiet">${readableMinor(BigInt(row.refunded_minor), row.currency)} refunded</div>`,
    row.disputed && html`<div>${chip("Disputed", "failed")}</div>`,
  ],
};

/** The columns of an invoice's payments. */
export const PAYMENT_OF_INVOICE: readonly Column<PaymentRow>[] = [
  timeLinkColumn("Paid", "paid_at", "/payments"),
  {
    head: "Receipt in the ERP",
    cell: ({ erp_push_status: status, erp_push_error: error }) => [
      receiptChip(status) ?? NOTHING,
      error !== null && html`<div class="quiet long">${error}</div>`,
    ],
  },
  column(
    "Receipt number",
    "erp_receipt_number",
    (number: string | null) => number && html`<span class="receipt">${unbroken(number)}</span>`,
  ),
  PAID_AMOUNT,
];

/** The same for the customer's eyes. */
export const PAYMENTS_OF_STATEMENT: readonly Column<PaymentRow>[] = [
  timeColumn("Paid", "paid_at"),
  textColumn("Invoice", "invoice_number"),
  PAID_AMOUNT,
];

/** `/payments`: payments through links, and the state of their receipts in the ERP. */
export const PAYMENT_LIST = pagesOfList({
  path: "/payments",
  title: "Payments",
  one: "payment",
  intro: "What customers paid through payment links, and how the receipts stand in the ERP.",
  operation: listPayments,
  filters: {
    first: ["erp_push_status", "invoice_number", "paid_from", "paid_to"],
    without: ["confirmed_since", "confirmed_before"],
    labels: {
      erp_push_status: "Receipt",
      erp_receipt_number: "Receipt number",
    },
    values: VALUE_WORDS,
  },
  days: { paid_date: "paid_at" },
  columns: [INVOICE_OF, CUSTOMER_OF, ...PAYMENT_OF_INVOICE],
  totals: { columns: [countColumn("Payments", "count"), amountColumn("Amount", "amount")] },
  empty: (visit) => {
    const open = (words: string) => visit.link("/invoices", words, { collection_status: "open" });
    const make = ["Make a payment link for an ", open("open invoice"), ", or let an assistant or a workflow do it."];
    return ["Nobody has paid through a link yet.", visit.isAdmin ? make : ["See what is ", open("open"), "."]];
  },
});
