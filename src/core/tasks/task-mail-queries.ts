import type { Transaction } from "../../store/store.ts";
import { sameTenant } from "../kernel/same-tenant.ts";

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
    .where((column) => column.and({ "tasks.tenant_id": tenantId, "tasks.task_id": taskId }))
    .executeTakeFirst();
}

export type MailedTask = NonNullable<Awaited<ReturnType<typeof mailedTask>>>;
