import { listAgingInstallments } from "../src/core/aging/operations/list-aging-installments.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_installment_aging",
  title: "List installment aging",
  description:
    "The debts behind the aging, by `due_date`, with `outstanding` and `days_overdue`. " +
    "`collectible` says whether the service can act on a row; uncollectible debt is still owed. " +
    "On invalid_cursor the report changed: start again.",
  operation: listAgingInstallments,
  view: "aging",
  unlisted: ["sort"],
  rowKey: ["invoice_id", "installment_id"],
});
