import { call, type Question } from "./question.ts";
import { major, record, table } from "./read.ts";
import { anInvoice, anInvoiceThatIs, cash, select } from "./sql.ts";

const FIND = call("list_invoices", { invoice_number: "{invoice_number}", fields: ["invoice_number"] });
const LOOK = call("get_invoice", { invoice_id: "{0.data.0.id}" });

/** Why nothing can be collected on the installments of an invoice of a kind. */
const whyNot = (id: string, text: string, given: string): Question => ({
  id,
  class: "why",
  text,
  given,
  truth: select(
    ["sequence_number", "not_collectible_reason"],
    "from installments join workspace using (tenant_id) where invoice_id = {invoice_id}",
  ),
  calls: [FIND, LOOK],
  read: table(1, "installments", "sequence_number", "not_collectible_reason"),
});

/** Why a receipt is in a state, as the service and the ERP say. */
const whyReceipt = (id: string, text: string, status: string): Question => ({
  id,
  class: "why",
  text,
  given: `select invoice_number from payment where erp_push_status = '${status}' and invoice_number is not null
    order by confirmed_at desc limit 1`,
  truth: select(
    ["erp_push_status", "why", cash("currency", "amount")],
    "from payment where invoice_number = {invoice_number}",
  ),
  calls: [
    call("list_payments", {
      invoice_number: "{invoice_number}",
      fields: ["erp_push_status", "erp_push_error", "amount", "currency"],
    }),
  ],
  read: table(0, "data", "erp_push_status", "erp_push_error", major("amount")),
});

/** Reasons that the service itself gives. */
export const WHYS: readonly Question[] = [
  whyNot("why-disputed", "Why can we not send a link for invoice {invoice_number}?", anInvoiceThatIs("disputed")),
  whyNot(
    "why-no-billing-email",
    "Invoice {invoice_number} is open in the ERP. Why does the service not collect it?",
    anInvoiceThatIs("no_billing_email"),
  ),
  whyNot("why-not-finalised", "What keeps us from collecting {invoice_number}?", anInvoiceThatIs("not_finalised")),
  whyNot("why-excluded", "Why is nothing being done about invoice {invoice_number}?", anInvoiceThatIs("excluded")),
  whyNot(
    "why-currency",
    "Why can the customer not pay invoice {invoice_number} by link?",
    anInvoiceThatIs("currency_not_supported"),
  ),
  whyNot(
    "why-inactive",
    "Invoice {invoice_number} is inactive. Was it written off?",
    anInvoice(`collection_status = 'inactive' and retired_at is null and has_installments and not exists (select from installments
      where tenant_id = invoice.tenant_id and invoice_id = invoice.invoice_id and not closed)`),
  ),
  whyNot(
    "why-retired",
    "What happened to invoice {invoice_number}? It used to be open.",
    anInvoice("retired_at is not null and has_installments"),
  ),
  whyReceipt("why-receipt-failed", "Why is the receipt for invoice {invoice_number} not in the ERP?", "failed"),
  whyReceipt("why-receipt-posted", "Why is the receipt for {invoice_number} not applied to the invoice?", "posted"),
  {
    id: "why-sync-failed",
    class: "why",
    text: "Why did the last sync that failed not work?",
    truth: select(
      ["error_code", "why"],
      `from (select * from run join workspace using (tenant_id) where status = 'failed'
        order by started_at desc limit 1) as latest`,
    ),
    calls: [call("list_sync_runs", { status: "failed", limit: 1, fields: ["started_at", "error"] })],
    read: table(0, "data", "error.code", "error.message"),
  },
  {
    id: "why-no-link",
    class: "why",
    text: "Why did Auto Generate make no link for invoice {invoice_number}?",
    given: `select invoice_number, invoice_id::text from execution join invoice using (tenant_id, invoice_id)
      where status <> 'succeeded' and reason is not null order by started_at desc limit 1`,
    truth: select(
      ["status", "why"],
      `from execution join workspace using (tenant_id) where invoice_id = {invoice_id} and status <> 'succeeded'`,
    ),
    calls: [
      FIND,
      call("list_workflow_executions", { invoice_id: "{0.data.0.id}", fields: ["status", "outcome", "reason"] }),
    ],
    read: (answers, facts) =>
      table(1, "data", "status", "reason")(answers, facts).filter(([status]) => status !== "succeeded"),
  },
  {
    id: "why-paid-and-open",
    class: "why",
    text: "Invoice {invoice_number} was paid, and yet the ERP shows it as open. Why?",
    given: anInvoice("collection_status = 'paid' and erp_invoice_open_balance > 0 and origin = 'erp'"),
    truth: select(
      ["collection_status", cash("currency", "erp_invoice_open_balance"), "erp_push_state"],
      "from invoice where invoice_id = {invoice_id}",
    ),
    calls: [FIND, LOOK],
    read: record(1, "collection_status", major("erp_invoice_open_balance"), "erp_push_state"),
  },
];
