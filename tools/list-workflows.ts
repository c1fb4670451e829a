import { listWorkflows } from "../src/core/workflows/operations/list-workflows.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_workflows",
  title: "List workflows",
  description: "`auto_generate` makes payment links and emails them, `payment_arrangement` opens tasks.",
  operation: listWorkflows,
});
