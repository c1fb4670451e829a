import type { Transaction } from "../../store/store.ts";
import { assignedTasks } from "./list-queries.ts";

/** What a task's mail says, and what must still hold for it to be sent; the email is null once the assignee was removed. */
export function mailedTask(tx: Transaction, tenantId: string, taskId: string) {
  return assignedTasks(tx, tenantId)
    .innerJoin("tenants", "tenants.tenant_id", "tasks.tenant_id")
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
    .where("tasks.task_id", "=", taskId)
    .executeTakeFirst();
}

export type MailedTask = NonNullable<Awaited<ReturnType<typeof mailedTask>>>;
