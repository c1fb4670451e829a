import { listInvoices } from "../src/core/invoices/operations/list-invoices.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_invoices",
  title: "List invoices",
  description:
    "Invoices, newest first or by `sort`. " +
    "`include_total` adds all of them up per currency, as old as `as_of` in aging: what can be collected is `collection_outstanding` of collection_status=open. " +
    "Date filters select whole invoices by `collection_due_date`, with what is not due yet: never sum under them but `overdue_outstanding`, which is as aging has it. " +
    "`inactive` does not mean unpaid, nor written off.",
  operation: listInvoices,
  unlisted: ["collection_updated_since"],
  view: "worklist",
});
