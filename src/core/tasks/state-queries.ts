import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { TaskRow } from "../../store/tables/workflows.ts";

/** Ends every task of some invoices that has not ended so: `not_needed` (service.md §3.4). */
export async function endTasks(tx: Transaction, tenantId: string, invoiceIds: readonly string[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx
    .updateTable("tasks")
    .set({ state: "not_needed" })
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where("state", "!=", "not_needed")
    .execute();
}

/** Locks an invoice; false when the tenant has no such one. */
export async function lockInvoiceOfTask(tx: Transaction, tenantId: string, invoiceId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("invoices")
    .select("invoice_id")
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", invoiceId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the invoice has a task that was not overtaken by events. */
export async function hasStandingTask(tx: Transaction, tenantId: string, invoiceId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("tasks")
    .select("task_id")
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", invoiceId)
    .where("state", "!=", "not_needed")
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertTask(tx: Transaction, row: TaskRow): Promise<void> {
  await tx.insertInto("tasks").values(row).execute();
}

/** Moves an invoice's open task to `configured`; later links change nothing. */
export async function configureOpenTask(
  tx: Transaction,
  tenantId: string,
  invoiceId: string,
  at: string,
): Promise<void> {
  await tx
    .updateTable("tasks")
    .set({ state: "configured", configured_at: at })
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", invoiceId)
    .where("state", "=", "open")
    .execute();
}

/** The invoice of a task; undefined when the tenant has no such task. */
export async function invoiceOfTask(tx: Transaction, tenantId: string, taskId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("tasks")
    .select("invoice_id")
    .where("tenant_id", "=", tenantId)
    .where("task_id", "=", taskId)
    .executeTakeFirst();
  return row?.invoice_id;
}

/** A task by id, locked. */
export function lockTask(tx: Transaction, tenantId: string, taskId: string): Promise<TaskRow | undefined> {
  return tx
    .selectFrom("tasks")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("task_id", "=", taskId)
    .forUpdate()
    .executeTakeFirst();
}

export async function markDismissed(tx: Transaction, tenantId: string, taskId: string, at: string): Promise<void> {
  await tx
    .updateTable("tasks")
    .set({ state: "dismissed", dismissed_at: at })
    .where("tenant_id", "=", tenantId)
    .where("task_id", "=", taskId)
    .execute();
}
