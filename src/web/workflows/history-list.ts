import type { z } from "zod";
import { type HistoryEntry, listWorkflowHistory } from "../../core/workflows/operations/list-workflows.ts";
import { WORKFLOW_NAMES } from "../kit/markup.ts";
import { chip, column, pagesOfList, type States, stateWords, timeColumn, unbroken } from "../lists/list.ts";
import { CUSTOMER_NAME_OF, INVOICE_OF } from "../receivables/invoice-list.ts";

type Entry = z.output<typeof HistoryEntry>;

const OUTCOMES: Readonly<Record<Entry["outcome"], string>> = {
  link_created: "Payment link made",
  task_opened: "Task opened",
  none: "Nothing done",
};
const STATUS: States<Entry["status"]> = {
  succeeded: ["Done", "good"],
  skipped: ["Left out", "quiet"],
  failed: ["Failed", "failed"],
};

const reasonInWords = (reason: string | null) =>
  reason === "withdrawn_by_person" ? "A person withdrew its link: none is made until the amount changes." : reason;

/** `/workflow-history`: what workflows did with invoices, or would not and why. */
export const WORKFLOW_HISTORY = pagesOfList({
  path: "/workflow-history",
  title: "Workflow history",
  name: "History",
  beside: "/workflows",
  one: "entry",
  many: "entries",
  intro: "What workflows did with each invoice, or why they left it out: once, until the reason changes.",
  operation: listWorkflowHistory,
  filters: { first: ["status", "order"], labels: { status: "Outcome" }, values: stateWords(STATUS) },
  columns: [
    INVOICE_OF,
    CUSTOMER_NAME_OF,
    timeColumn("When", "started_at"),
    column("Workflow", "workflow_type", (type: Entry["workflow_type"]) => unbroken(WORKFLOW_NAMES[type])),
    {
      head: "Outcome",
      cell: ({ status, outcome }) =>
        status === "succeeded" ? chip(OUTCOMES[outcome], "good") : chip(...STATUS[status]),
    },
    column("Why", "reason", reasonInWords),
  ],
  chip: (name, entry) => (name === "workflow_id" ? WORKFLOW_NAMES[entry.workflow_type] : null),
  empty: (visit) => [
    "No workflow has done anything yet.",
    visit.isAdmin
      ? [visit.link("/workflows", "Preview a workflow"), ": nothing happens before it is turned on."]
      : "An admin of the workspace turns workflows on.",
  ],
});
