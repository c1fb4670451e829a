import { listWorkflows } from "../src/core/workflows/operations/list-workflows.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_workflows",
  title: "List workflows",
  description:
    "Automations: auto_generate creates payment links and emails them, payment_arrangement opens tasks. Only an operator of the service can change them.",
  operation: listWorkflows,
});
