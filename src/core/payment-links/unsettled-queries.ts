import { sql } from "kysely";
import { dueRows } from "../../store/due-rows.ts";
import type { Transaction } from "../../store/store.ts";
import type { StoredLink } from "./link-queries.ts";

/** A link that whoever worked on it has left as it is. */
export type UnsettledLink = Pick<
  StoredLink,
  "tenant_id" | "payment_link_id" | "reservation_id" | "state" | "created_at"
> & {
  /** Counts this one. */
  attempts: number;
};

const UNSETTLED = {
  table: "payment_links",
  key: ["tenant_id", "payment_link_id"],
  time: "reserved_until",
  ties: ["reservation_id"],
  where: sql`(state = 'reserved' or withdrawal_due)`,
};

/**
 * Claims links of all tenants whose time has passed, until `leaseUntil`; others at work on some are passed over. A time
 * beyond `farthest` counts as passed: a clock was wrong then.
 */
export async function claimUnsettled(
  tx: Transaction,
  { now, leaseUntil, farthest, limit }: { now: string; leaseUntil: string; farthest: string; limit: number },
): Promise<UnsettledLink[]> {
  const { rows } = await sql<UnsettledLink>`
    update payment_links as link set reserved_until = ${leaseUntil}, settle_attempts = link.settle_attempts + 1
    from (${dueRows(UNSETTLED, { now, farthest }, limit)}) as due
    where link.tenant_id = due.tenant_id and link.payment_link_id = due.payment_link_id
    returning link.tenant_id, link.payment_link_id, link.reservation_id, link.state, link.created_at,
      link.settle_attempts as attempts`.execute(tx);
  return rows;
}

/** Lets other workers take up the reserved links of a reservation from an instant on. */
export async function releaseLinks(
  tx: Transaction,
  tenantId: string,
  { reservationId, at }: { reservationId: string; at: string },
): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set({ reserved_until: at })
    .where("tenant_id", "=", tenantId)
    .where("reservation_id", "=", reservationId)
    .where("state", "=", "reserved")
    .where("reserved_until", ">", at)
    .execute();
}

/** The same of a link that its provider has yet to be told is withdrawn. */
export async function releaseWithdrawal(
  tx: Transaction,
  tenantId: string,
  { linkId, at }: { linkId: string; at: string },
): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set({ reserved_until: at })
    .where("tenant_id", "=", tenantId)
    .where("payment_link_id", "=", linkId)
    .where("withdrawal_due", "=", true)
    .where("reserved_until", ">", at)
    .execute();
}
