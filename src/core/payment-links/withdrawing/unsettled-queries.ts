import { sql } from "kysely";
import type { Transaction } from "../../../store/store.ts";
import { READY_AT, UNCLAIMED, type WorkKind } from "../../../store/work-queue.ts";

/** Links that whoever worked on them has left between the store and their provider. */
export const UNSETTLED_LINKS: WorkKind<"payment_links"> = {
  table: "payment_links",
  isWork: sql`(state = 'reserved' or withdrawal_due)`,
};

/** Has the reserved links of a reservation tried again at an instant, where they would be later. */
export async function retryReservation(
  tx: Transaction,
  tenantId: string,
  { reservationId, at }: { reservationId: string; at: string },
): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set({ ...UNCLAIMED, next_attempt_at: at })
    .where("tenant_id", "=", tenantId)
    .where("reservation_id", "=", reservationId)
    .where("state", "=", "reserved")
    .where(sql<boolean>`${READY_AT} > ${at}`)
    .execute();
}
