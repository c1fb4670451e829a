import { sql } from "kysely";
import type { Core } from "../../src/core/gate/dependencies.ts";
import type { Store, Transaction } from "../../src/store/store.ts";
import { everyRow } from "./every-row.ts";

/** What statements read of tables and indexes, from memory or not: what they cost, whatever the machine. */
export interface Reads {
  /** Rows and entries of indexes that were looked at. */
  readonly rows: number;
  /** A deeper index takes a few more, and so it grows with the logarithm of what it holds. */
  readonly blocks: number;
}

/** What `work` reads in transactions of the system, and in those of tenants that only read. */
export async function readsOf(core: Core, work: (core: Core) => Promise<unknown>): Promise<Reads> {
  let [rows, blocks] = [0, 0];
  const counted =
    <T>(inner: (tx: Transaction) => Promise<T>) =>
    async (tx: Transaction): Promise<T> => {
      const before = await readSoFar(tx);
      try {
        return await inner(tx);
      } finally {
        const after = await readSoFar(tx);
        rows += after.rows - before.rows;
        blocks += after.blocks - before.blocks;
      }
    };
  const store = replacing(core.store, {
    directory: (inner) => core.store.directory(counted(inner)),
    everyShard: (inner) => core.store.everyShard((tx, shards) => counted((one) => inner(one, shards))(tx)),
    read: (tenantId, inner) => core.store.read(tenantId, counted(inner)),
  });
  await work({ ...core, store });
  if (blocks === 0) throw new Error("nothing was read");
  return { rows, blocks };
}

/** The blocks of {@link readsOf} alone. */
export async function blocksOf(core: Core, work: (core: Core) => Promise<unknown>): Promise<number> {
  return (await readsOf(core, work)).blocks;
}

/** The same store with other transactions, brisk ones too. */
export function replacing(
  store: Store,
  others: Partial<Pick<Store, "directory" | "everyShard" | "read" | "write">>,
): Store {
  const replaced: Store = new Proxy(store, {
    get(target, name) {
      if (name === "brisk") return replaced;
      if (name === "inTurns") return () => replaced;
      const other: unknown = Reflect.get(others, name);
      if (other !== undefined) return other;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return replaced;
}

/** A store whose transactions of a tenant end when `hold` does; `held` tells that one has done its work. */
export function holding(store: Store, held: PromiseWithResolvers<void>, hold: PromiseWithResolvers<void>): Store {
  const write: Store["write"] = (tenantId, work) =>
    store.write(tenantId, async (tx) => {
      const done = await work(tx);
      held.resolve();
      await hold.promise;
      return done;
    });
  return replacing(store, { write });
}

/** Counted since this connection last reported to the server's statistics. */
export async function readSoFar(tx: Transaction): Promise<Reads> {
  const { rows } = await sql<Reads>`
    select sum(pg_stat_get_xact_tuples_returned(oid))::int as rows, sum(pg_stat_get_xact_blocks_fetched(oid))::int as blocks
    from pg_class where relnamespace = 'public'::regnamespace`.execute(tx);
  return rows[0] ?? { rows: 0, blocks: 0 };
}

/** Has the planner know what the tables hold, as a server's autovacuum sees to. */
export async function analyze(store: Store): Promise<void> {
  await everyRow(store, async (tx) => {
    await sql`set local role none`.execute(tx);
    await sql`analyze`.execute(tx);
  });
}
