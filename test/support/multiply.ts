import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../../src/store/store.ts";
import type { Tables } from "../../src/store/tables/index.ts";

/**
 * Copies the one row of a tenant's table that `which` holds of, `count` times; `changes` is a JSON object of SQL that may
 * name `n`, from 1 on.
 */
export async function multiply(
  tx: Transaction,
  table: keyof Tables,
  { which, count, changes }: { which: RawBuilder<unknown>; count: number; changes: RawBuilder<unknown> },
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(tx);
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from (
      select (jsonb_populate_record(one, ${changes})).* from ${sql.table(table)} as one, generate_series(1, ${count}::int) as n
      where ${which}) as copies on conflict do nothing`.execute(tx);
}
