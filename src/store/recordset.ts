import { type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables/index.ts";

/** Rows as a table, one parameter however many; the types of their columns by name. `alias` and columns are our own names. */
export function recordset(alias: string, rows: readonly object[], columns: Readonly<Record<string, string>>) {
  const typed = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as ${sql.ref(alias)}(${sql.join(typed)})`;
}

/** The statement that writes whole rows of a table, all with the same columns; of one whose `key` is there, what is `lasting` stays. */
export function upsert(
  table: keyof Tables,
  rows: readonly object[],
  { key, lasting = [] }: { key: readonly string[]; lasting?: readonly string[] },
) {
  const names = Object.keys(rows[0] ?? {});
  const changing = names.filter((name) => ![...key, ...lasting].includes(name));
  return sql`insert into ${sql.table(table)} (${columns(names)})
    select ${columns(names, "given")} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json) as given
    on conflict (${columns(key)}) do update set ${assignments(changing, "excluded")}`;
}

/** `a, b, c`: the columns' names, each of `alias` where one is given. */
export function columns(list: readonly string[], alias?: string) {
  return sql.join(list.map((name) => sql.ref(alias === undefined ? name : `${alias}.${name}`)));
}

/** `a = source.a, b = source.b` for an update's `set`. */
export function assignments(columns: readonly string[], source: string) {
  return sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${source}.${name}`)}`));
}

/** `any (…)` of ids, to compare a column with: one parameter however many, and an index answers it. */
export function anyOf(ids: readonly string[], type: "uuid" | "bigint"): RawBuilder<string> {
  return sql<string>`any(${`{${ids.join(",")}}`}::${sql.raw(type)}[])`;
}
