import type { Given } from "../../store/prepared.ts";
import type { Transaction } from "../../store/store.ts";
import { sameTenant } from "../shared/same-tenant.ts";
import type { TaskFilters } from "./schema.ts";

/** The tenant's tasks that match every filter given (service.md §4.8), unordered; the assignee is null once that member was removed. */
export function matchingTasks(tx: Transaction, tenantId: Given<string>, filters: TaskFilters) {
  let query = tx
    .selectFrom("tasks")
    .innerJoin("invoices", sameTenant("invoices", "tasks", "invoice_id"))
    .leftJoin("members", (join) =>
      sameTenant("members", "tasks", "member_id", "assignee_id")(join).on("members.removed_at", "is", null),
    )
    .select([
      "tasks.task_id",
      "tasks.type",
      "tasks.invoice_id",
      "invoices.invoice_number",
      "members.member_id as assignee_id",
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
    .leftJoin("people", "people.person_id", "members.person_id")
    .select([
      "tasks.task_id",
      "tasks.state",
      "tenants.name as workspace_name",
      "invoices.invoice_number",
      "invoices.customer_name",
      "invoices.currency",
      "invoices.collection_outstanding",
      "invoices.collection_due_date",
      "people.email as assignee_email",
    ])
    .where("tasks.tenant_id", "=", tenantId)
    .where("tasks.task_id", "=", taskId)
    .executeTakeFirst();
}

export type MailedTask = NonNullable<Awaited<ReturnType<typeof mailedTask>>>;
