import { type RawBuilder, sql } from "kysely";
import { ahead } from "./driver/statements.ts";
import type { Tables, Transaction } from "./tables/index.ts";

/** A table this many times larger than what was written is not analyzed: its sample might have none of the new rows. */
const MUCH_LARGER = 5_000;

/** Rows of a tenant that no plan is bad for, and times what it expects. */
const FEW = 50;
const FAR_MORE = 8;
/** Who is expected to have as many is in the statistics. */
const KNOWN = 1_000;

/** What a delivery or an invoice of the service's own writes, besides the aging roll-up. */
export const BOOK_TABLES = ["customers", "invoices", "installments"] as const;

/** What was written, and by which tenant. */
export interface Written {
  readonly tenantId: string;
  readonly tables: readonly (keyof Tables)[];
  /** How many; absent where the store is to look. */
  readonly rows?: number;
}

/**
 * How many rows a tenant has in the first of some tables where plans expect far fewer; 0 for none. One that the statistics lack counts
 * as one row, and joins of its hundreds take seconds, for they go by the cube.
 */
export async function unexpectedRows(tx: Transaction, tenantId: string, tables: Written["tables"]): Promise<number> {
  for (const table of tables) {
    // Where tables are distributed, plans of statements with parameters are not told.
    const theirs = sql`from ${sql.table(table)} where tenant_id = ${sql.lit(tenantId)}`;
    const plan = JSON.stringify((await sql`explain select ${theirs}`.execute(tx)).rows);
    const expected = Math.max(...Array.from(plan.matchAll(/ rows=(\d+)/g), ([, rows]) => Number(rows)));
    if (expected >= KNOWN) continue;
    const { rows: counted } = await sql<{ rows: string }>`select count(*) as rows ${theirs}`.execute(tx);
    const rows = Number(counted[0]?.rows);
    if (rows > FEW + FAR_MORE * expected) return rows;
  }
  return 0;
}

/** By database: how many rows tenants had when statistics were last taken for them. */
const taken = new WeakMap<object, Map<string, number>>();

/**
 * Whether statistics are to be taken for a tenant that has some rows now: not until it has twice as many, for they tell of the
 * largest tenants only. `note` that they were.
 */
export function dueFor(database: object, { tenantId, tables: [first] }: Written, rows: number) {
  const last = taken.get(database) ?? new Map<string, number>();
  taken.set(database, last);
  const key = `${first} of ${tenantId}`;
  return { isDue: rows >= 2 * (last.get(key) ?? 0), note: () => void last.set(key, rows) };
}

/** Where the rows of a tenant lie: tables, or their shards on a worker. */
interface Place {
  readonly names: readonly string[];
  /** Null for the server itself. */
  readonly worker: { readonly host: string; readonly port: number } | null;
}

/** Store.takeStatistics, over a connection that nobody else uses, on which `begin` begins a transaction. */
export async function takeStatistics(
  connection: Transaction,
  begin: string,
  { tenantId, tables, rows }: Required<Written>,
  isDistributed: boolean,
): Promise<void> {
  // As the user that owns the tables; another's analysis, or a vacuum, is not waited for.
  await connection.executeQuery(ahead(`${begin}; set local role none; set local lock_timeout = '2s'`));
  try {
    const place = isDistributed ? await shardsOf(connection, tenantId, tables) : { names: tables, worker: null };
    const stale = await ask(connection, place, staleOf(place.names, rows * MUCH_LARGER));
    if (stale !== "") await ask(connection, place, `analyze ${stale}`);
    await sql.raw("commit").execute(connection);
  } catch (error) {
    await sql
      .raw("rollback")
      .execute(connection)
      .catch(() => undefined);
    throw error;
  }
}

/** Asks for those of some tables that have fewer rows than that, by the statistics there are. */
const staleOf = (names: readonly string[], most: number) =>
  `select coalesce(string_agg(relname, ', ' order by relname), '') as result from pg_class
   where oid = any('{${names.join(",")}}'::regclass[]) and reltuples < ${most}::float8`;

/** The shards in which a tenant's rows of some tables are: all on one worker. */
async function shardsOf(tx: Transaction, tenantId: string, tables: readonly string[]): Promise<Place> {
  const { rows } = await sql<{ name: string; host: string; port: number }>`
    select shard_name(placed.table, placed.shard) as name, node.nodename as host, node.nodeport as port
    from (select name::regclass as table, get_shard_id_for_distribution_column(name::regclass, ${tenantId}::uuid) as shard
      from unnest(${`{${tables.join(",")}}`}::text[]) as name) as placed
    join pg_dist_placement as placement on placement.shardid = placed.shard
    join pg_dist_node as node on node.groupid = placement.groupid and node.noderole = 'primary'`.execute(tx);
  const [first] = rows;
  if (first === undefined) throw new Error("a tenant lies in a shard");
  return { names: rows.map(({ name }) => name), worker: first };
}

/** Runs a statement where the rows are; the one text that it answers, empty for none. */
async function ask(tx: Transaction, { worker }: Place, statement: string): Promise<string> {
  const { rows } = await askAt(worker, statement).execute(tx);
  const [answer] = rows;
  if (answer?.success === false) throw new Error(`statistics on a worker: ${answer.result}`);
  return answer?.result ?? "";
}

function askAt(worker: Place["worker"], statement: string): RawBuilder<{ result: string; success?: boolean }> {
  if (worker === null) return sql.raw(statement);
  const { host, port } = worker;
  return sql`select result, success
    from master_run_on_worker(array[${host}], array[${port}::int], array[${statement}], false)`;
}
