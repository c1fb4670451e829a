import { type Insertable, sql, type Updateable } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { MemberNewsRow, OutgoingMailRow } from "../../store/tables/mail.ts";
import type { WorkKind, WorkRow } from "../../store/work-queue.ts";
import { nowOf, type Stamping } from "../gate/dependencies.ts";

/** A mail to a member, and what it is about. */
type MailToQueue = Pick<
  Insertable<OutgoingMailRow>,
  "tenant_id" | "kind" | "recipient" | "subject_id" | "news_from" | "news_until"
>;

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

/** Changes what a member is told by mail, or how far they have been told; false where they are due at another time by now. */
export async function changeNews(
  tx: Transaction,
  key: Pick<MemberNewsRow, "tenant_id" | "member_id"> & { due_at?: string },
  change: Updateable<MemberNewsRow>,
) {
  const update = tx.updateTable("member_news").where((column) => column.and(key));
  return (await update.set(change).executeTakeFirst()).numUpdatedRows > 0n;
}
