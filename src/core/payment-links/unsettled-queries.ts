import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { StoredLink } from "./link-queries.ts";

/** A link that whoever worked on it has left as it is. */
export type UnsettledLink = Pick<
  StoredLink,
  "tenant_id" | "payment_link_id" | "reservation_id" | "state" | "created_at"
>;

/** Takes links of all tenants up whose time has passed, until `leaseUntil`; others at work on some are passed over. */
export async function claimUnsettled(
  tx: Transaction,
  { now, leaseUntil, limit }: { now: string; leaseUntil: string; limit: number },
): Promise<UnsettledLink[]> {
  const { rows } = await sql<UnsettledLink>`
    update payment_links as link set reserved_until = ${leaseUntil}
    from (
      select tenant_id, payment_link_id from payment_links
      where (state = 'reserved' or withdrawal_due) and reserved_until <= ${now}
      order by reserved_until, reservation_id limit ${limit} for update skip locked
    ) as due
    where link.tenant_id = due.tenant_id and link.payment_link_id = due.payment_link_id
    returning link.tenant_id, link.payment_link_id, link.reservation_id, link.state, link.created_at`.execute(tx);
  return rows;
}
