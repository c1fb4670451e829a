import { type Insertable, sql } from "kysely";
import { dueRows } from "../../store/due-rows.ts";
import type { Transaction } from "../../store/store.ts";
import type { InvoiceRow, OutgoingMailRow, TaskRow, TenantRow } from "../../store/tables.ts";

export async function insertOutgoingMail(tx: Transaction, row: Insertable<OutgoingMailRow>): Promise<void> {
  await tx.insertInto("outgoing_mails").values(row).execute();
}

/** A mail that a worker has taken up, until the lease ends; `attempts` counts this one. */
export type ClaimedMail = Pick<OutgoingMailRow, "tenant_id" | "mail_id" | "kind" | "recipient" | "subject_id"> & {
  attempts: number;
  lease_expires_at: string;
};

const QUEUED = { table: "outgoing_mails", key: ["tenant_id", "mail_id"], time: "next_attempt_at", ties: ["mail_id"] };

/** Takes up mails that are due, of all tenants, or set beyond `farthest`; what another worker has is passed over. */
export async function claimMails(
  tx: Transaction,
  { now, leaseUntil, farthest, limit }: { now: string; leaseUntil: string; farthest: string; limit: number },
): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    update outgoing_mails as mail set lease_expires_at = ${leaseUntil}, attempts = mail.attempts + 1
    from (${dueRows(
      {
        ...QUEUED,
        where: sql`status = 'queued'
          and (lease_expires_at is null or lease_expires_at <= ${now} or lease_expires_at > ${farthest})`,
      },
      { now, farthest },
      limit,
    )}) as due
    where mail.tenant_id = due.tenant_id and mail.mail_id = due.mail_id
    returning mail.tenant_id, mail.mail_id, mail.kind, mail.recipient, mail.subject_id, mail.attempts, mail.lease_expires_at`.execute(
    tx,
  );
  return rows;
}

/** Writes how an attempt ended, if the mail is still this worker's. */
export async function settleMail(
  tx: Transaction,
  mail: ClaimedMail,
  change: Partial<Pick<OutgoingMailRow, "status" | "sent_at" | "next_attempt_at">>,
): Promise<void> {
  await tx
    .updateTable("outgoing_mails")
    .set({ ...change, lease_expires_at: null })
    .where("tenant_id", "=", mail.tenant_id)
    .where("mail_id", "=", mail.mail_id)
    .where("lease_expires_at", "=", mail.lease_expires_at)
    .execute();
}

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
