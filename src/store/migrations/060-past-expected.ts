import { type Kysely, sql } from "kysely";

const BUCKETS = [0, 1, 2, 3, 4];

const STATEMENTS = [
  ...["aging_customers", "aging_totals"].map(
    (table) =>
      `alter table ${table} ${BUCKETS.map((n) => `add column past_${n} numeric not null default 0`).join(", ")}`,
  ),
  "alter table aging_state no force row level security",
  "update aging_state set as_of = null",
  "alter table aging_state force row level security",
];

/** What should be in by now as customers usually pay (completions §10) is kept by bucket. The roll-up is built anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
