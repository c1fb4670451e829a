import { summarizeAging } from "../src/core/aging/operations/summarize-aging.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "summarize_aging",
  title: "Summarize aging",
  description:
    "How much is owed, overdue or due in a period (`due_from`, `due_to`), per currency and aging bucket; with `group_by` also by due month or week, " +
    "by what blocks it, or by ERP, with how old that is; weeks begin on Monday. " +
    "Never add currencies. Credits are absent, and debts without a due date, which only list_invoices has; there is no history of balances.",
  operation: summarizeAging,
  view: "aging",
  unlisted: ["sort", "limit", "cursor"],
});
