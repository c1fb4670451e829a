import { type Kysely, sql } from "kysely";

const STATEMENTS = [
  "alter table aging_debts add column connection_id uuid",
  "create index aging_debts_by_connection on aging_debts (tenant_id, connection_id, currency, due_date)",
  "alter table aging_customers add column connection_id uuid",
  "alter table aging_state no force row level security",
  "update aging_state set as_of = null",
  "alter table aging_state force row level security",
];

/** Aging says how old its figures are, by the ERPs they are from (completions §10). It is built anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
