import type { Transaction } from "../../store/store.ts";
import { lockInvoices } from "../collection/collection-queries.ts";
import { nowOf, type Stamping } from "../gate/dependencies.ts";
import { notFound } from "../kernel/error.ts";
import { hasStandingTask, insertTask } from "./state-queries.ts";

/**
 * Opens the task of an invoice that the Payment Arrangement workflow matched, for the assignee to act on, once per invoice: null
 * when it has one already. One that ended as `not_needed` does not count (completions §9). Throws `not_found`.
 */
export async function openTask(
  tx: Transaction,
  core: Stamping,
  { tenantId, invoiceId, assigneeId }: { tenantId: string; invoiceId: string; assigneeId: string | null },
) {
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
