import { listWorkflowExecutions } from "../src/core/workflows/operations/list-workflows.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_workflow_executions",
  title: "List workflow executions",
  description:
    "Why an invoice got a link or task, or did not: what workflows did, newest first. A reason that still holds is not repeated.",
  operation: listWorkflowExecutions,
});
