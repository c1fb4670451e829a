import { dismissTask } from "../src/core/tasks/operations/dismiss-task.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "dismiss_task",
  title: "Dismiss task",
  description:
    "Dismisses a payment arrangement task for good. Its invoice returns to Auto Generate, which, when it is on, " +
    "may create links and email the customer, but none where a person withdrew one. Other links and payments stay.",
  operation: dismissTask,
});
