import { listInvoices } from "../src/core/invoices/operations/list-invoices.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_invoices",
  title: "List invoices",
  description:
    "Invoices, newest first; filters combine. " +
    "What can be collected: sum `collection_outstanding` with collection_status=open and no date filter, one currency at a time; never `erp_invoice_open_balance`. " +
    "Date filters select whole invoices by `collection_due_date`, with what is not due yet: never sum under them; what is overdue is in summarize_aging. " +
    "`inactive` does not mean unpaid, nor written off. " +
    "While `has_more`, repeat with `next_cursor` and identical filters.",
  operation: listInvoices,
});
