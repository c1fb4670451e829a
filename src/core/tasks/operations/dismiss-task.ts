import { z } from "zod";
import { ROUTE_CALLERS } from "../../gate/actor.ts";
import { operation } from "../../gate/operation.ts";
import { Uuid } from "../../shared/validation.ts";
import { dismissOpenTask } from "../open-task.ts";

/** service.md §4.9; the moves of §3.4. Throws `not_found`, and `conflict` for a task that is not needed any more. */
export const dismissTask = operation({
  id: "dismissTask",
  tag: "Tasks",
  summary: "Dismiss a task",
  description:
    "Open and configured tasks can be dismissed; again changes nothing. A task that is not needed any more answers `conflict`. The request has no body.",
  errors: ["conflict"],
  example: { answer: { ok: true } },
  callers: ROUTE_CALLERS,
  permission: "admin",
  scope: "tasks:write",
  sideEffects:
    "The task is dismissed and its invoice returns to Auto Generate, which, when it is on, may create a link and email the customer; existing links and payments stay.",
  input: z.strictObject({ task_id: Uuid.describe("Task id") }),
  output: z.strictObject({ ok: z.boolean() }),
  async run({ actor, tx, core, audit }, { task_id: taskId }) {
    await dismissOpenTask(tx, core, { tenantId: actor.tenantId, taskId });
    audit({ type: "task", id: taskId });
    return { ok: true };
  },
});
