import { z } from "zod";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { matchingTasks } from "../list-queries.ts";
import { Task } from "../schema.ts";
import { taskOnWire } from "./list-tasks.ts";

/** One task (completions §13). Throws `not_found`. */
export const getTask = operation({
  id: "getTask",
  tag: "Tasks",
  summary: "Read a task",
  description: "`configured`, `dismissed` and `not_needed` are how a task ends; a later link does not open it again.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ task_id: Uuid.describe("Task id") }),
  output: Task,
  async run({ tx, actor }, { task_id: taskId }) {
    const row = orNotFound(
      await matchingTasks(tx, actor.tenantId, {}).where("tasks.task_id", "=", taskId).executeTakeFirst(),
      "task",
    );
    return taskOnWire(row);
  },
});
