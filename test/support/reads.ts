import { sql } from "kysely";
import { expect } from "vitest";
import type { Core } from "../../src/core/core.ts";
import type { Store, Transaction } from "../../src/store/store.ts";

/** What statements read of tables and indexes, from memory or not: what they cost, whatever the machine. */
export interface Reads {
  /** Rows and entries of indexes that were looked at. */
  readonly rows: number;
  /** A deeper index takes a few more, and so it grows with the logarithm of what it holds. */
  readonly blocks: number;
}

/** What `work` reads in its system transactions. */
export async function readsOf(core: Core, work: (core: Core) => Promise<unknown>): Promise<Reads> {
  let [rows, blocks] = [0, 0];
  const system: Store["system"] = (inner) =>
    core.store.system(async (tx) => {
      const before = await soFar(tx);
      const done = await inner(tx);
      const after = await soFar(tx);
      rows += after.rows - before.rows;
      blocks += after.blocks - before.blocks;
      return done;
    });
  await work({ ...core, store: withSystem(core.store, system) });
  if (blocks === 0) throw new Error("nothing was read");
  return { rows, blocks };
}

/** That something costs what it cost when there was far less of it, but for deeper indexes. */
export function expectSameCost(many: Reads, few: Reads): void {
  expect(many.rows, "rows").toBeLessThanOrEqual(few.rows * 1.5);
  expect(many.blocks, "blocks").toBeLessThanOrEqual(few.blocks * 4);
}

/** The same store with other system transactions. */
export function withSystem(store: Store, system: Store["system"]): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === "system") return system;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A store whose system transactions end when `hold` does; `held` tells that one has done its work. */
export function holding(store: Store, held: PromiseWithResolvers<void>, hold: PromiseWithResolvers<void>): Store {
  return withSystem(store, (work) =>
    store.system(async (tx) => {
      const done = await work(tx);
      held.resolve();
      await hold.promise;
      return done;
    }),
  );
}

/** Counted since this connection last reported to the server's statistics. */
async function soFar(tx: Transaction): Promise<Reads> {
  const { rows } = await sql<Reads>`
    select sum(pg_stat_get_xact_tuples_returned(oid))::int as rows, sum(pg_stat_get_xact_blocks_fetched(oid))::int as blocks
    from pg_class where relnamespace = 'public'::regnamespace`.execute(tx);
  return rows[0] ?? { rows: 0, blocks: 0 };
}

/** Has the planner know what the tables hold, as a server's autovacuum sees to. */
export async function analyze(store: Store): Promise<void> {
  await store.system(async (tx) => {
    await sql`set local role none`.execute(tx);
    await sql`analyze`.execute(tx);
  });
}
