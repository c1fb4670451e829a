import { type Kysely, sql } from "kysely";
import { renewPrimaryKey } from "./renew-primary-key.ts";

const READY_AT = "(coalesce(lease_expires_at, next_attempt_at))";

const STATEMENTS = [
  "alter table payment_integrations rename column events_due_at to next_attempt_at",
  "alter table payment_integrations rename column events_lease_expires_at to lease_expires_at",
  "alter table payment_integrations add column claim_id uuid, add column attempts integer not null default 0",
  "drop index payment_integrations_events_due",
  `create index payment_integrations_ready on payment_integrations (tenant_id, ${READY_AT}, payment_integration_id)
    where status = 'connected' and forgotten_at is null and next_attempt_at is not null`,
];

/** Reading a provider's list of events is claimed as all work is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await renewPrimaryKey(db, "payment_integrations");
}
