import { type Insertable, sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { InvoiceRow } from "../../store/tables/invoices.ts";
import type { OutgoingMailRow } from "../../store/tables/mail.ts";
import type { TaskRow } from "../../store/tables/workflows.ts";
import type { TenantRow } from "../../store/tables/workspace.ts";
import type { WorkKind, WorkRow } from "../../store/work-queue.ts";

export async function insertOutgoingMail(tx: Transaction, row: Insertable<OutgoingMailRow>): Promise<void> {
  await tx.insertInto("outgoing_mails").values(row).execute();
}

/** A message to a member, as it is claimed. */
export type ClaimedMail = WorkRow<"outgoing_mails">;

export const MAILS: WorkKind<"outgoing_mails"> = {
  table: "outgoing_mails",
  isWork: sql`status = 'queued'`,
};

/** What a task's mail tells, and what must hold for it to be sent still. */
export type TaskToTell = Pick<TaskRow, "task_id" | "state"> &
  Pick<
    InvoiceRow,
    "invoice_number" | "customer_name" | "currency" | "collection_outstanding" | "collection_due_date"
  > & {
    workspace_name: TenantRow["name"];
    /** Null once the assignee was removed. */
    assignee_email: string | null;
  };

export function taskToTell(tx: Transaction, tenantId: string, taskId: string): Promise<TaskToTell | undefined> {
  return tx
    .selectFrom("tasks")
    .innerJoin("tenants", "tenants.tenant_id", "tasks.tenant_id")
    .innerJoin("invoices", (join) =>
      join.onRef("invoices.tenant_id", "=", "tasks.tenant_id").onRef("invoices.invoice_id", "=", "tasks.invoice_id"),
    )
    .leftJoin("members", (join) =>
      join
        .onRef("members.tenant_id", "=", "tasks.tenant_id")
        .onRef("members.member_id", "=", "tasks.assignee_id")
        .on("members.removed_at", "is", null),
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
