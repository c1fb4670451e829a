import { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import { lockInvoices } from "../../collection/collection-queries.ts";
import { queueInvoices } from "../../collection/to-examine-queries.ts";
import { COLLECTORS, type Core, nowOf, operation } from "../../gate/operation.ts";
import { conflictOf, orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { markDismissed, taskById } from "../state-queries.ts";

/** service.md §4.9; the moves of §3.4. Throws `not_found`, and `conflict` for a task that is not needed any more. */
export const dismissTask = operation({
  id: "dismissTask",
  tag: "Tasks",
  summary: "Dismiss a task",
  description:
    "Open and configured tasks can be dismissed; again changes nothing. A task that is not needed any more answers `conflict`. The request has no body.",
  errors: ["conflict"],
  callers: COLLECTORS,
  permission: "admin",
  scope: "tasks:write",
  sideEffects:
    "The task is dismissed and its invoice returns to Auto Generate, which, when it is on, may create a link and email the customer, but none on an installment whose link a person withdrew, until its amount changes or somebody makes one; existing links and payments stay.",
  input: z.strictObject({ task_id: Uuid.describe("Task id") }),
  output: z.strictObject({ ok: z.boolean() }),
  async run({ actor, tx, core, audit }, { task_id: taskId }) {
    const isChanged = await dismissOpenTask(tx, core, { tenantId: actor.tenantId, taskId });
    audit(isChanged ? { type: "task", id: taskId } : null);
    return { ok: true };
  },
});

/**
 * Dismisses an open or configured task, which hands its invoice back to Auto Generate; again changes nothing, which answers false. Throws
 * `not_found`, and `conflict` for one that is not needed any more (service.md §3.4, completions §9).
 */
export async function dismissOpenTask(
  tx: Transaction,
  core: Pick<Core, "clock">,
  { tenantId, taskId }: { tenantId: string; taskId: string },
) {
  // The invoice first, as everyone who ends tasks does.
  const invoiceId = (await taskById(tx, tenantId, taskId))?.invoice_id;
  if (invoiceId !== undefined) await lockInvoices(tx, tenantId, [invoiceId]);
  const task = orNotFound(await taskById(tx, tenantId, taskId, { lock: true }), "task");
  if (task.state === "not_needed") throw conflictOf("task", taskId, (task) => `${task} is not needed any more.`);
  if (task.state === "dismissed") return false;
  await markDismissed(tx, tenantId, taskId, nowOf(core));
  await queueInvoices(tx, core, tenantId, [task.invoice_id]);
  return true;
}
