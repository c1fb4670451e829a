import { listInvoices } from "../src/core/invoices/list-invoices.ts";
import { READ_ONLY } from "./annotations.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_invoices",
  title: "List invoices",
  description:
    "Invoices, newest first; filters combine. " +
    "What is owed: sum `collection_outstanding` with collection_status=open, one currency at a time; never `erp_invoice_open_balance`. " +
    "Overdue: collection_status=open and due_before=business_date. " +
    "Age by `collection_due_date`, not `due_date`; date filters leave out invoices without one. " +
    "`inactive` does not mean unpaid, nor written off. " +
    "While `has_more`, repeat with `next_cursor` and identical filters.",
  annotations: READ_ONLY,
  operation: listInvoices,
});
