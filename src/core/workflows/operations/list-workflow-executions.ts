import { z } from "zod";
import { PAGES_READ, RECEIVABLES_READ } from "../../gate/actor.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { listing } from "../../gate/listing.ts";
import { operation } from "../../gate/operation.ts";
import { EXECUTION_FILTERS, WorkflowExecution } from "../schema.ts";
import { matchingExecutions, matchingHistory } from "../settings-queries.ts";

/** completions §5; by when they started. */
export const listWorkflowExecutions = operation(
  listing({
    id: "listWorkflowExecutions",
    tag: "Workflows",
    summary: "List workflow executions",
    description:
      "Newest first, by when they started. One for each look at an invoice that did something, or would not and said why; a reason that still holds is not repeated.",
    ...RECEIVABLES_READ,
    input: z.strictObject({ ...EXECUTION_FILTERS, ...LIST_PARAMETERS }),
    row: WorkflowExecution,
    query: matchingExecutions,
    columns: { createdAt: "workflow_executions.started_at", id: "workflow_executions.workflow_execution_id" },
    onWire: executionOnWire,
  }),
);

/** An execution as callers see it (completions §4). */
function executionOnWire<Row extends { workflow_execution_id: string; created_at: string }>({
  workflow_execution_id: id,
  created_at: started_at,
  ...shown
}: Row) {
  return { id, ...shown, started_at };
}

/** An execution with the invoice's number and customer. */
export const HistoryEntry = WorkflowExecution.extend({
  invoice_number: z.string().nullable(),
  customer_name: z.string().nullable(),
});

/** The executions of completions §5 as people read them; by when they started. */
export const listWorkflowHistory = operation(
  listing({
    id: "listWorkflowHistory",
    summary: "List workflow executions with their invoices",
    ...PAGES_READ,
    input: z.strictObject({ ...EXECUTION_FILTERS, ...LIST_PARAMETERS }),
    row: HistoryEntry,
    query: matchingHistory,
    columns: { createdAt: "workflow_executions.started_at", id: "workflow_executions.workflow_execution_id" },
    onWire: executionOnWire,
  }),
);
