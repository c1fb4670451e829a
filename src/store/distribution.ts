import { type Kysely, sql } from "kysely";
import { type Tables, TENANT_TABLES } from "./tables/index.ts";
import { DATABASE_ROLES } from "./tenancy/roles.ts";

/**
 * The table with which all others are colocated: a tenant's rows of all tables are on one worker, and can be joined
 * there.
 */
const FIRST = "tenants";

/** Whether this database distributes tenants to workers (the extension Citus). */
export async function isDistributing(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}

/** Tenant tables that are not distributed yet, each after those it references. */
async function undistributed(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string; refersTo: string[] }>`
    select class.relname as name, array_remove(array_agg(target.relname::text), null) as "refersTo" from pg_class as class
    left join pg_constraint as reference
      on reference.conrelid = class.oid and reference.contype = 'f' and reference.confrelid <> class.oid
    left join pg_class as target on target.oid = reference.confrelid
    where class.relnamespace = current_schema()::regnamespace and class.relkind = 'r'
      and not exists (select from pg_dist_partition where logicalrelid = class.oid and partmethod = 'h')
    group by class.relname order by class.relname <> ${FIRST}, class.relname`.execute(db);
  const left = new Map(
    rows.filter(({ name }) => TENANT_TABLES.has(name)).map(({ name, refersTo }) => [name, refersTo]),
  );
  const inOrder = new Set<string>();
  const add = (name: string): void => {
    for (const other of left.get(name) ?? []) if (left.has(other) && !inOrder.has(other)) add(other);
    inOrder.add(name);
  };
  for (const name of left.keys()) add(name);
  return [...inOrder];
}

/**
 * Distributes the tenant tables to workers, by tenant. The directory of tenants stays on the coordinator, so that the
 * loss of one worker affects only its own tenants. Does nothing without the extension.
 */
export async function distribute(db: Kysely<Tables>): Promise<void> {
  await distributeTables(db, await undistributed(db));
  for (const table of await unforced(db)) await sql.raw(`alter table ${table} force row level security`).execute(db);
}

/** Tables of tenants whose owner row level security does not bind, as while a shard is moved (docs/scale.md). */
async function unforced(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and not relforcerowsecurity`.execute(db);
  return rows.map(({ name }) => name).filter((name) => TENANT_TABLES.has(name));
}

/** Whether there is nothing left to do for {@link distribute}. */
export async function isDistributed(db: Kysely<Tables>): Promise<boolean> {
  return (await undistributed(db)).length === 0 && (await unforced(db)).length === 0;
}

async function distributeTables(db: Kysely<Tables>, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  // Workers are reached as the role that a transaction acts in, so that row level security applies there too.
  // There they bring no settings of a session with them (src/store/server/session.ts), and compiling costs seconds.
  for (const role of Object.values(DATABASE_ROLES))
    for (const what of ["login", "set jit = off"]) await sql.raw(`alter role ${role} ${what}`).execute(db);
  await dropAcross(db);
  for (const table of tables) {
    const together = table === FIRST ? "none" : FIRST;
    // The owner copies the existing rows, and row level security would hide them.
    await sql.raw(`alter table ${table} no force row level security`).execute(db);
    // What is not logged cannot be copied while it changes, as when a tenant is moved to another worker.
    await sql.raw(`alter table ${table} set logged`).execute(db);
    await sql`select create_distributed_table(${table}, 'tenant_id', colocate_with => ${together})`.execute(db);
    await sql.raw(`alter table ${table} force row level security`).execute(db);
  }
}

/** Drops what workers do not support: references between tenant tables and the directory. */
async function dropAcross(db: Kysely<Tables>): Promise<void> {
  const names = [...TENANT_TABLES];
  const { rows } = await sql<{ statement: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace
      and (conrelid::regclass::text = any(${names})) <> (confrelid::regclass::text = any(${names}))`.execute(db);
  for (const { statement } of rows) await sql.raw(statement).execute(db);
}
