import { z } from "zod";
import { operation, PAGES_READ } from "../../gate/operation.ts";
import { notFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { matchingTasks } from "../list-queries.ts";
import { Task } from "../schema.ts";
import { taskOnWire } from "./list-tasks.ts";

/** One task, for the page of it. Throws `not_found`. */
export const getTask = operation({
  id: "getTask",
  summary: "Read a task",
  ...PAGES_READ,
  input: z.strictObject({ taskId: Uuid }),
  output: Task,
  async run({ tx, actor }, { taskId }) {
    const row = await matchingTasks(tx, actor.tenantId, {}).where("tasks.task_id", "=", taskId).executeTakeFirst();
    if (row === undefined) throw notFound("task");
    return taskOnWire(row);
  },
});
