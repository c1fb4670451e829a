import { listTasks } from "../src/core/tasks/operations/list-tasks.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "Tasks of Payment Arrangement, newest first. state=open: invoices still waiting for their first payment link.",
  operation: listTasks,
});
