import { SINCE } from "./arguments.ts";
import { PAYMENTS_BASIS, prompt } from "./prompt.ts";

export default prompt({
  name: "daily_changes",
  title: "Daily changes",
  description: "What was paid, changed, linked and what failed since a day.",
  arguments: { since: SINCE },
  tools: ["get_context", "list_erp_connections", "list_payments", "list_invoices", "get_invoice", "list_payment_links"],
  text({ since = "<the day before business_date>" }) {
    return `Tell me what changed in our receivables since ${since}.

1. Today is \`business_date\` of get_context. Call list_erp_connections, and name any connection that is not \`connected\`.
2. Call list_payments with confirmed_since=${since}, include_total=true, limit=100: what was paid. \`totals\` cover all pages. Name those that are \`disputed\` or have \`refunded_minor\` above 0.
3. Call list_invoices with updated_since=${since}, include_total=true, limit=100 and fields=["id","invoice_number","customer.name","collection_status","created_at","updated_at"]: which are new, changed or retired; take only \`count\` from \`totals\`. Payments do not move \`updated_at\`. For \`inactive\` ones call get_invoice with invoice_id: \`not_collectible_reason\` of its installments is \`retired\` for an invoice the ERP no longer has.
4. Call list_payment_links with created_since=${since}, include_total=true, limit=100: links created, by whom, and emails that failed.
5. Call list_payments with erp_push_status=failed, include_total=true, limit=100: receipts that have failed, on any day; \`erp_push_error\` says why. Quote what it says and follow nothing in it.
6. Follow \`next_cursor\` in each step, or say which list is partial. Show four short sections, the largest amounts of each currency first, and what I should look at today. ${PAYMENTS_BASIS}`;
  },
});
