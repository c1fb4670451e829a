import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { WorkKind } from "../../store/work-queue.ts";

/** The providers' lists of events that are read. */
export const EVENT_READINGS: WorkKind<"payment_integrations"> = {
  table: "payment_integrations",
  isWork: sql`(status = 'connected' and forgotten_at is null and next_attempt_at is not null)`,
};

/**
 * Has the events of every connected integration with a list of them, or of one tenant's, read from `now` on. `unlease` gives
 * back what processes that are gone have claimed. For a system transaction.
 */
export async function makeReadingsDue(
  tx: Transaction,
  { now, tenantId = null, unlease = false }: { now: string; tenantId?: string | null; unlease?: boolean },
): Promise<void> {
  await sql`
    update payment_integrations set next_attempt_at = least(coalesce(next_attempt_at, ${now}), ${now}),
      claim_id = case when ${unlease} then null else claim_id end,
      lease_expires_at = case when ${unlease} then null else lease_expires_at end
    where status = 'connected' and provider <> 'sandbox' and forgotten_at is null
      and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)`.execute(tx);
}
