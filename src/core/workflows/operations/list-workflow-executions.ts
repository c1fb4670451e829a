import { z } from "zod";
import { RECEIVABLES_READ } from "../../gate/actor.ts";
import { listOperation } from "../../gate/list-operation.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { matchingExecutions } from "../list-queries.ts";
import { EXECUTION_FILTERS, WorkflowExecution } from "../schema.ts";

/** completions §5; by when they started. */
export const listWorkflowExecutions = listOperation({
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
});

/** An execution as callers see it (completions §4). */
export function executionOnWire<Row extends { workflow_execution_id: string; created_at: string }>({
  workflow_execution_id: id,
  created_at: started_at,
  ...shown
}: Row) {
  return { id, ...shown, started_at };
}
