import { type Kysely, sql } from "kysely";

const TABLES = ["customers", "invoices", "aging_customers"];

/**
 * A sigma at the end of a word was kept as such where names are searched and ordered, and no longer is. The owner of the
 * tables is below row level security as well, and steps out of it meanwhile. No hash of the roll-up has these columns.
 */
const STATEMENTS = [
  ...TABLES.map((table) => `alter table ${table} no force row level security`),
  ...TABLES.map(
    (
      table,
    ) => `update ${table} set search_text = replace(search_text, 'ς', 'σ'), sort_name = replace(sort_name, 'ς', 'σ')
      where strpos(search_text, 'ς') > 0 or strpos(sort_name, 'ς') > 0`,
  ),
  ...TABLES.map((table) => `alter table ${table} force row level security`),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
