import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Store } from "../store.ts";
import { type Tables, TENANT_TABLES, type Transaction } from "../tables/index.ts";

const LOCK_NOT_AVAILABLE = "55P03";
const ATTEMPTS = 20;
const PAUSE_MS = 250;

/** One move at a time; false while another holds its turn, which ends with its transaction. */
export async function takeTurn(tx: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('move of a workspace')) as "isTaken"`.execute(tx);
  return rows[0]?.isTaken === true;
}

/**
 * Has row level security not bind the owner of tenants' tables while `work` is done: as the owner Citus copies rows. It binds the
 * roles of the service as before. A process that died meanwhile leaves it so until the next start or move ({@link unforced}).
 */
export async function outOfRowSecurity(store: Store, work: () => Promise<void>): Promise<void> {
  try {
    for (const table of TENANT_TABLES) await alter(store, `alter table ${table} no force row level security`);
    await work();
  } finally {
    for (const table of TENANT_TABLES) await alter(store, `alter table ${table} force row level security`);
  }
}

/** Tables of tenants whose owner row level security does not bind. */
export async function unforced(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and not relforcerowsecurity`.execute(db);
  return rows.map(({ name }) => name).filter((name) => TENANT_TABLES.has(name));
}

/** Ends what a move that died left, unless one is under way. */
export async function force(db: Kysely<Tables>): Promise<void> {
  const tables = await unforced(db);
  if (tables.length === 0) return;
  await db.transaction().execute(async (tx) => {
    if (!(await takeTurn(tx))) return;
    for (const table of tables) await sql.raw(`alter table ${table} force row level security`).execute(tx);
  });
}

/** Those who use the table go first, and nobody waits behind this for long. */
async function alter(store: Store, statement: string): Promise<void> {
  const attempt = async (tx: Transaction): Promise<void> => {
    await sql.raw("set local lock_timeout = '1s'").execute(tx);
    await sql.raw(statement).execute(tx);
  };
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await store.asOwner(attempt);
    } catch (error) {
      if (left <= 1 || !isLocked(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

function isLocked(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && "code" in cause && cause.code === LOCK_NOT_AVAILABLE;
}
