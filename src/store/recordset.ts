import { type RawBuilder, sql } from "kysely";

/** Column types a {@link recordset} can carry. */
type ColumnType = "uuid" | "text" | "numeric" | "date" | "timestamptz" | "boolean" | "integer" | "bigint" | "jsonb";

/** The columns of rows of type `Row`, in the order they are listed. */
export type Columns<Row> = { readonly [Name in keyof Row & string]: ColumnType };

/** Rows as a table, one parameter a column: a fifth cheaper than JSON. `alias` and columns are our own names. */
export function recordset<Row extends object>(alias: string, rows: readonly Row[], columns: Columns<Row>) {
  const arrays = Object.entries(columns).map(
    ([name, type]) => sql`${arrayOf(rows.map((row) => Reflect.get(row, name)))}::${sql.raw(String(type))}[]`,
  );
  return sql`unnest(${sql.join(arrays)}) as ${sql.ref(alias)}(${names(columns)})`;
}

function arrayOf(values: readonly unknown[]) {
  return `{${values.map((value) => (value === null || value === undefined ? "NULL" : quoted(textOf(value)))).join(",")}}`;
}

const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

const SPECIAL = /["\\]/;

function quoted(text: string) {
  return `"${SPECIAL.test(text) ? text.replaceAll(/["\\]/g, "\\$&") : text}"`;
}

/** `a, b, c`: the columns' names, each of `alias` where one is given. */
export const names = <Row>(shape: Columns<Row>, alias?: string) => columns(Object.keys(shape), alias);

/** The same of a list of names. */
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

/** The names of all columns but those that last when a row is written again. */
export function allBut<Table extends object>(columns: Table, lasting: ReadonlyArray<keyof Table & string>) {
  return Object.keys(columns).filter((name) => !lasting.some((one) => one === name));
}
