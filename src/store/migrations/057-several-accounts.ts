import { type Kysely, sql } from "kysely";

/** A customer has all account numbers of its invoices (completions §13), one a line; each debt shows its invoice's own. */
const STATEMENTS = [
  "alter table customers rename column number to numbers",
  "alter table aging_debts add column customer_number text",
  "alter table aging_state no force row level security",
  "update aging_state set as_of = null",
  "alter table aging_state force row level security",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
