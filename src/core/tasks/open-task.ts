import type { Transaction } from "../../store/store.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { notFound, ServiceError } from "../gate/error.ts";
import { lockInvoices } from "../invoices/collection-queries.ts";
import { queueInvoices } from "../workflows/queue-queries.ts";
import { hasStandingTask, insertTask, markDismissed, taskById } from "./queries.ts";

/**
 * Opens the task of an invoice that the Payment Arrangement workflow matched, for the assignee to act on, once per invoice: null
 * when it has one already. One that ended as `not_needed` does not count (completions §9). Throws `not_found`.
 */
export async function openTask(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, invoiceId, assigneeId }: { tenantId: string; invoiceId: string; assigneeId: string | null },
): Promise<string | null> {
  if ((await lockInvoices(tx, tenantId, [invoiceId])).length === 0) throw notFound("invoice");
  if (await hasStandingTask(tx, tenantId, invoiceId)) return null;
  const taskId = core.newId();
  await insertTask(tx, {
    tenant_id: tenantId,
    task_id: taskId,
    type: "payment_arrangement",
    invoice_id: invoiceId,
    assignee_id: assigneeId,
    state: "open",
    configured_at: null,
    dismissed_at: null,
    created_at: nowOf(core),
  });
  return taskId;
}

/**
 * Dismisses an open or configured task, which hands its invoice back to Auto Generate; again changes nothing. Throws
 * `not_found`, and `conflict` for one that is not needed any more (service.md §3.4, completions §9).
 */
export async function dismissOpenTask(
  tx: Transaction,
  core: Pick<Core, "clock">,
  { tenantId, taskId }: { tenantId: string; taskId: string },
): Promise<void> {
  // The invoice first, as everyone who ends tasks does.
  const invoiceId = (await taskById(tx, tenantId, taskId))?.invoice_id;
  if (invoiceId !== undefined) await lockInvoices(tx, tenantId, [invoiceId]);
  const task = await taskById(tx, tenantId, taskId, { lock: true });
  if (task === undefined) throw notFound("task");
  if (task.state === "not_needed") throw new ServiceError("conflict", `Task ${taskId} is not needed any more.`);
  if (task.state === "dismissed") return;
  await markDismissed(tx, tenantId, taskId, nowOf(core));
  await queueInvoices(tx, core, tenantId, [task.invoice_id]);
}
