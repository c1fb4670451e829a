import { type Insertable, sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { OutgoingMailRow } from "../../store/tables/mail.ts";
import type { WorkKind, WorkRow } from "../../store/work-queue.ts";

export async function insertOutgoingMail(tx: Transaction, row: Insertable<OutgoingMailRow>): Promise<void> {
  await tx.insertInto("outgoing_mails").values(row).execute();
}

/** A claimed message to a member. */
export type ClaimedMail = WorkRow<"outgoing_mails">;

export const MAILS: WorkKind<"outgoing_mails"> = {
  table: "outgoing_mails",
  isWork: sql`status = 'queued'`,
};
