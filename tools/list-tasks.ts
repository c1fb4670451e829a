import { listTasks } from "../src/core/tasks/operations/list-tasks.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "Tasks of Payment Arrangement, newest first. `open`: the invoice still waits for its first payment link; `configured`: it has one.",
  operation: listTasks,
  unlisted: ["updated_since"],
});
