import { type Kysely, sql } from "kysely";

const STATEMENTS = [
  "alter table sync_runs add column would_retire jsonb",
  "alter table sync_runs add column retirement text check (retirement in ('held', 'confirmed'))",
  "create index sync_runs_retirement on sync_runs (tenant_id, connection_id) where retirement is not null",
];

/** A pull that would retire too much at once retires nothing, and waits for a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
