import { z } from "zod";
import { PAGES_READ } from "../../gate/actor.ts";
import { listOperation } from "../../gate/list-operation.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { matchingHistory } from "../list-queries.ts";
import { EXECUTION_FILTERS, WorkflowExecution } from "../schema.ts";
import { executionOnWire } from "./list-workflow-executions.ts";

/** An execution with the invoice's number and customer. */
export const HistoryEntry = WorkflowExecution.extend({
  invoice_number: z.string().nullable(),
  customer_name: z.string().nullable(),
});

/** The executions of completions §5 as people read them; by when they started. */
export const listWorkflowHistory = listOperation({
  id: "listWorkflowHistory",
  summary: "List workflow executions with their invoices",
  ...PAGES_READ,
  input: z.strictObject({ ...EXECUTION_FILTERS, ...LIST_PARAMETERS }),
  row: HistoryEntry,
  query: matchingHistory,
  columns: { createdAt: "workflow_executions.started_at", id: "workflow_executions.workflow_execution_id" },
  onWire: executionOnWire,
});
