import { sql } from "kysely";
import { MIGRATION_NAMES } from "./migrations/index.ts";
import type { Transaction } from "./store.ts";

/** The last migration: rows are copied between stores that have the same. */
export const SCHEMA = MIGRATION_NAMES.at(-1) ?? "";

const ROWS_AT_ONCE = 500;

/** What a new store may hold without anybody missing it: it was made by the first start. */
const MADE_AT_START = ["signing_keys", "oidc_artifacts", "web_sessions", "job_rounds"];

/** Across the directory and tenants, as [table, table it refers to]: a store on workers has no such constraints. */
export const CROSSING_REFERENCES: readonly (readonly [string, string])[] = [
  ["members", "people"],
  ["sign_in_domains", "sign_in_providers"],
  ["web_sessions", "tenants"],
];

/** The counters of limits that a store on workers keeps as it keeps everything. */
const COUNTERS = "rate_windows";

/** A row as the store writes it: JSON, its numbers never read on the way. */
export interface DumpedRow {
  table: string;
  json: string;
}

/** Every row there is, each table after those it refers to, as of one moment; for a system transaction's beginning. */
export async function* dumpedRows(tx: Transaction): AsyncGenerator<DumpedRow> {
  await sql.raw("set transaction isolation level repeatable read, read only").execute(tx);
  for (const table of await tablesInOrder(tx)) {
    await sql`declare dumped no scroll cursor for
      select row_to_json(${sql.table(table)})::text as json from ${sql.table(table)}`.execute(tx);
    for (;;) {
      const { rows } = await sql<{ json: string }>`fetch ${sql.lit(ROWS_AT_ONCE)} from dumped`.execute(tx);
      for (const { json } of rows) yield { table, json };
      if (rows.length < ROWS_AT_ONCE) break;
    }
    await sql`close dumped`.execute(tx);
  }
}

/** Whether there is anything in a store that somebody put there. */
export async function holdsData(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    select exists (select from tenant_routes) or exists (select from people) as holds`.execute(tx);
  return rows[0]?.holds ?? false;
}

/** Makes a store without data ready to be loaded. */
export async function clearForLoading(tx: Transaction): Promise<void> {
  for (const table of MADE_AT_START) await sql`delete from ${sql.table(table)}`.execute(tx);
}

/** Collects rows of {@link dumpedRows}, in their order, and inserts them. */
export class Loader {
  readonly #tx: Transaction;
  readonly #columns = new Map<string, readonly string[]>();
  #table = "";
  #waiting: string[] = [];

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /** Throws RangeError for a table that there is not. */
  async add({ table, json }: DumpedRow) {
    if (table !== this.#table || this.#waiting.length >= ROWS_AT_ONCE) await this.flush();
    this.#table = table;
    this.#waiting.push(json);
  }

  async flush() {
    const rows = this.#waiting.splice(0);
    if (rows.length === 0) return;
    const table = this.#table;
    const columns = sql.join((await this.#columnsOf(table)).map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${columns})
      select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(",")}]`}::jsonb)
      on conflict do nothing`.execute(this.#tx);
  }

  /** All but those the store works out itself. */
  async #columnsOf(table: string): Promise<readonly string[]> {
    const known = this.#columns.get(table);
    if (known !== undefined) return known;
    const { rows } = await sql<{ name: string }>`
      select attribute.attname as name from pg_attribute as attribute
      join pg_class as class on class.oid = attribute.attrelid
      join pg_namespace as namespace on namespace.oid = class.relnamespace
      where namespace.nspname = current_schema() and class.relname = ${table}
        and attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = ''
      order by attribute.attnum`.execute(this.#tx);
    if (rows.length === 0) throw new RangeError(`there is no table ${table}`);
    const names = rows.map((row) => row.name);
    this.#columns.set(table, names);
    return names;
  }
}

/** Every table that keeps something (not the counters of limits), each after those it refers to. */
async function tablesInOrder(tx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string; refers_to: string[] }>`
    select class.relname as name, array_remove(array_agg(target.relname::text), null) as refers_to from pg_class as class
    join pg_namespace as namespace on namespace.oid = class.relnamespace
    left join pg_constraint as reference
      on reference.conrelid = class.oid and reference.contype = 'f' and reference.confrelid <> class.oid
    left join pg_class as target on target.oid = reference.confrelid
    where namespace.nspname = current_schema() and class.relkind = 'r' and class.relpersistence = 'p'
      and class.relname not like 'kysely%' and class.relname <> ${COUNTERS}
    group by class.relname order by class.relname`.execute(tx);
  const inOrder: string[] = [];
  const add = (name: string): void => {
    if (inOrder.includes(name)) return;
    const crossing = CROSSING_REFERENCES.filter(([table]) => table === name).map(([, other]) => other);
    for (const other of [...(rows.find((row) => row.name === name)?.refers_to ?? []), ...crossing]) add(other);
    inOrder.push(name);
  };
  for (const { name } of rows) add(name);
  return inOrder;
}
