import type { Given } from "../../store/prepared.ts";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { TaskRow } from "../../store/tables/workflows.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { sameTenant } from "../shared/same-tenant.ts";
import type { TaskFilters } from "./list-filters.ts";

/** The tenant's tasks that match every filter given (service.md §4.8), unordered; the assignee is null once that member was removed. */
export function matchingTasks(tx: Transaction, tenantId: Given<string>, filters: TaskFilters) {
  let query = tx
    .selectFrom("tasks")
    .innerJoin("invoices", sameTenant("invoices", "tasks", "invoice_id"))
    .leftJoin("members", (join) =>
      sameTenant("members", "tasks", "member_id", "assignee_id")(join).on("members.removed_at", "is", null),
    )
    .select(({ fn }) => [
      "tasks.task_id",
      "tasks.type",
      "tasks.invoice_id",
      "invoices.invoice_number",
      "invoices.customer_name",
      "invoices.currency",
      "invoices.collection_outstanding",
      "members.member_id as assignee_id",
      fn.coalesce("members.name", "members.email").as("assignee_name"),
      "tasks.state",
      "tasks.configured_at",
      "tasks.dismissed_at",
      "tasks.created_at",
    ])
    .where("tasks.tenant_id", "=", tenantId);
  if (filters.invoice_id !== undefined) query = query.where("tasks.invoice_id", "=", filters.invoice_id);
  if (filters.state !== undefined) query = query.where("tasks.state", "=", filters.state);
  if (filters.type !== undefined) query = query.where("tasks.type", "=", filters.type);
  return query;
}

/** What a task's mail says, and what must still hold for it to be sent; the email is null once the assignee was removed. */
export function mailedTask(tx: Transaction, tenantId: string, taskId: string) {
  return tx
    .selectFrom("tasks")
    .innerJoin("tenants", "tenants.tenant_id", "tasks.tenant_id")
    .innerJoin("invoices", sameTenant("invoices", "tasks", "invoice_id"))
    .leftJoin("members", (join) =>
      sameTenant("members", "tasks", "member_id", "assignee_id")(join).on("members.removed_at", "is", null),
    )
    .select([
      "tasks.task_id",
      "tasks.state",
      "tasks.invoice_id",
      "tenants.name as workspace_name",
      "invoices.invoice_number",
      "invoices.customer_name",
      "invoices.currency",
      "invoices.collection_outstanding",
      "invoices.collection_due_date",
      "members.email as assignee_email",
    ])
    .where("tasks.tenant_id", "=", tenantId)
    .where("tasks.task_id", "=", taskId)
    .executeTakeFirst();
}

export type MailedTask = NonNullable<Awaited<ReturnType<typeof mailedTask>>>;

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

/** A task by id; undefined when the tenant has no such task. */
export function taskById(
  tx: Transaction,
  tenantId: string,
  taskId: string,
  { lock = false } = {},
): Promise<TaskRow | undefined> {
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
): Promise<void> {
  await tx
    .updateTable("tasks")
    .set({ state: "configured", configured_at: nowOf(core) })
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", invoiceId)
    .where("state", "=", "open")
    .execute();
}

export async function markDismissed(tx: Transaction, tenantId: string, taskId: string, at: string): Promise<void> {
  await tx
    .updateTable("tasks")
    .set({ state: "dismissed", dismissed_at: at })
    .where("tenant_id", "=", tenantId)
    .where("task_id", "=", taskId)
    .execute();
}
