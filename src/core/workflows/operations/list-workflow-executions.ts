import { z } from "zod";
import { READERS } from "../../gate/actor.ts";
import { EXECUTION, examplePage } from "../../gate/example-book.ts";
import { operation } from "../../gate/operation.ts";
import { LIST_PARAMETERS } from "../../shared/list-parameters.ts";
import { listPage, Pagination } from "../../shared/pagination.ts";
import { matchingExecutions } from "../list-queries.ts";
import { EXECUTION_FILTERS, WorkflowExecution } from "../schema.ts";

const id = "listWorkflowExecutions";

/** completions §5; by when they started. */
export const listWorkflowExecutions = operation({
  id,
  tag: "Workflows",
  summary: "List workflow executions",
  description:
    "Newest first, by when they started. One for each look at an invoice that did something, or would not and said why; a reason that still holds is not repeated.",
  example: {
    answer: examplePage(EXECUTION),
    parameters: { status: EXECUTION.status, invoice_id: EXECUTION.invoice_id },
  },
  callers: READERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ ...EXECUTION_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(WorkflowExecution), pagination: Pagination }),
  async run(context, input) {
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, value) => matchingExecutions(db, value("tenantId"), input),
      columns: { createdAt: "workflow_executions.started_at", id: "workflow_executions.workflow_execution_id" },
      idOf: (row) => row.workflow_execution_id,
    });
    const data = rows.map(({ workflow_execution_id, created_at, ...shown }) => ({
      id: workflow_execution_id,
      ...shown,
      started_at: created_at,
    }));
    return { data, pagination };
  },
});
