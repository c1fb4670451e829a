import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { OutgoingMailRow } from "../../store/tables/mail.ts";
import type { WorkKind, WorkRow } from "../../store/work-queue.ts";
import { nowOf, type Stamping } from "../gate/dependencies.ts";

/** A mail to a member, and what it is about. */
type MailToQueue = Pick<OutgoingMailRow, "tenant_id" | "kind" | "recipient" | "subject_id">;

/** Queues a mail in the transaction of what it tells about; a job writes and sends it. */
export async function queueMail(tx: Transaction, core: Stamping, mail: MailToQueue) {
  const now = nowOf(core);
  const row = { ...mail, mail_id: core.newId(), status: "queued", next_attempt_at: now, created_at: now } as const;
  await tx.insertInto("outgoing_mails").values(row).execute();
}

/** A claimed message to a member. */
export type ClaimedMail = WorkRow<"outgoing_mails">;

export const MAILS: WorkKind<"outgoing_mails"> = {
  table: "outgoing_mails",
  isWork: sql`status = 'queued'`,
};
