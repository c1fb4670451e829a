import { z } from "zod";
import { operation } from "../../gate/operation.ts";
import { LIST_PARAMETERS } from "../../shared/list-parameters.ts";
import { listPage, Pagination } from "../../shared/pagination.ts";
import { matchingHistory } from "../list-queries.ts";
import { EXECUTION_FILTERS, WorkflowExecution } from "../schema.ts";

const id = "listWorkflowHistory";

/** An execution with the invoice's number and customer. */
export const HistoryEntry = WorkflowExecution.extend({
  invoice_number: z.string().nullable(),
  customer_name: z.string().nullable(),
});

/** The executions of completions §5 as people read them; by when they started. */
export const listWorkflowHistory = operation({
  id,
  summary: "List workflow executions with their invoices",
  callers: ["person"],
  permission: "readonly",
  scope: null,
  sideEffects: "None.",
  input: z.strictObject({ ...EXECUTION_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(HistoryEntry), pagination: Pagination }),
  async run(context, input) {
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, value) => matchingHistory(db, value("tenantId"), input),
      columns: { createdAt: "workflow_executions.started_at", id: "workflow_executions.workflow_execution_id" },
      idOf: (row) => row.workflow_execution_id,
    });
    const data = rows.map(({ workflow_execution_id, created_at: started_at, ...shown }) => ({
      id: workflow_execution_id,
      ...shown,
      started_at,
    }));
    return { data, pagination };
  },
});
