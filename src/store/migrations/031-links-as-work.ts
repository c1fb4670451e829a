import { type Kysely, sql } from "kysely";

const READY_AT = "(coalesce(lease_expires_at, next_attempt_at))";

const STATEMENTS = [
  // Whoever is at a link as the process of the version before ends is believed at it until then, as before.
  "alter table payment_links rename column reserved_until to next_attempt_at",
  "alter table payment_links rename column settle_attempts to attempts",
  "alter table payment_links add column claim_id uuid, add column lease_expires_at timestamptz(3)",
  "drop index payment_links_unsettled",
  `create index payment_links_ready on payment_links (tenant_id, ${READY_AT}, payment_link_id)
    where state = 'reserved' or withdrawal_due`,
];

/** Links left between the store and a provider are claimed as all work is; a lease and a pause are two columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
