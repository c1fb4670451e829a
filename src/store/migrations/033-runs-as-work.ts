import { type Kysely, sql } from "kysely";

const STATEMENTS = [
  "alter table sync_runs rename column worker_id to claim_id",
  "alter table sync_runs no force row level security",
  "update sync_runs set claim_id = null where status <> 'running' and claim_id is not null",
  "alter table sync_runs force row level security",
];

/** A run is led under a claim, as all work is done; one that has ended is claimed by nobody. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
