import { touchShown } from "../../store/aging/rollup.ts";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { TaskRow } from "../../store/tables/workflows.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";

/** Ends every task of some invoices that has not ended so: `not_needed` (service.md §3.4). */
export async function endTasks(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  if (invoiceIds.length === 0) return;
  touchShown(tx, "invoices", invoiceIds);
  await tx
    .updateTable("tasks")
    .set({ state: "not_needed" })
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where("state", "!=", "not_needed")
    .execute();
}

/** Whether the invoice has a task that was not overtaken by events. */
export async function hasStandingTask(tx: Transaction, tenantId: string, invoiceId: string) {
  const row = await tx
    .selectFrom("tasks")
    .select("task_id")
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", invoiceId)
    .where("state", "!=", "not_needed")
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertTask(tx: Transaction, row: TaskRow) {
  touchShown(tx, "invoices", [row.invoice_id]);
  await tx.insertInto("tasks").values(row).execute();
}

/** A task by id; undefined when the tenant has no such task. */
export function taskById(tx: Transaction, tenantId: string, taskId: string, { lock = false } = {}) {
  return tx
    .selectFrom("tasks")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("task_id", "=", taskId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Moves an invoice's open task to `configured`; later links change nothing (service.md §3.4). */
export async function configureTask(
  tx: Transaction,
  core: Pick<Core, "clock">,
  { tenantId, invoiceId }: { tenantId: string; invoiceId: string },
) {
  touchShown(tx, "invoices", [invoiceId]);
  await tx
    .updateTable("tasks")
    .set({ state: "configured", configured_at: nowOf(core) })
    .where((column) => column.and({ tenant_id: tenantId, invoice_id: invoiceId, state: "open" }))
    .execute();
}

export async function markDismissed(tx: Transaction, tenantId: string, taskId: string, at: string) {
  const { invoice_id: invoiceId } = await tx
    .updateTable("tasks")
    .set({ state: "dismissed", dismissed_at: at })
    .where("tenant_id", "=", tenantId)
    .where("task_id", "=", taskId)
    .returning("invoice_id")
    .executeTakeFirstOrThrow();
  touchShown(tx, "invoices", [invoiceId]);
}
