import { listWorkflowExecutions } from "../src/core/workflows/operations/list-workflow-executions.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_workflow_executions",
  title: "List workflow executions",
  description:
    "What workflows did with invoices, or would not do and why, newest first. " +
    "A reason that still holds is not repeated; an invoice without an entry gave no cause to act.",
  operation: listWorkflowExecutions,
});
