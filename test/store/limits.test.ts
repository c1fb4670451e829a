import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { asServiceError } from "../../src/core/kernel/error.ts";
import { storeRefusals } from "../../src/signals.ts";
import type { Store, Transaction } from "../../src/store/store.ts";
import { onOwnDatabase } from "../support/stores.ts";

const THREE = { poolSize: 3 };
const NAMES = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];

async function limitsOf(ask: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>): Promise<number[]> {
  const { rows } = await ask((tx) =>
    sql<{ setting: string }>`select setting from pg_settings where name = any(${NAMES}) order by name desc`.execute(tx),
  );
  return rows.map(({ setting }) => Number(setting));
}

const COUNT =
  "select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

describe.skipIf(inject("postgresUrl") === null)("the limits of work in PostgreSQL", () => {
  it("are short where somebody waits, on each of its ways, and long for work of its own [contract.outage.limits]", () =>
    onOwnDatabase(async (store) => {
      const tenantId = crypto.randomUUID();
      const ways = (of: Store) => [
        limitsOf((work) => of.read(tenantId, work)),
        limitsOf((work) => of.write(tenantId, work)),
        limitsOf((work) => of.directory(work)),
        limitsOf((work) => of.statement(work)),
      ];
      for (const limits of await Promise.all(ways(store)))
        for (const limit of limits) expect(limit).toSatisfy((ms: number) => ms > 0 && ms <= 30_000);
      for (const limits of await Promise.all(ways(store.patient)))
        for (const limit of limits) expect(limit).toBeGreaterThanOrEqual(60_000);
      // Whoever comes next on the same connection has their own again.
      for (const limits of await Promise.all(ways(store))) expect(Math.max(...limits)).toBeLessThanOrEqual(30_000);
    }, THREE));

  it(
    "end a call that waits for a lock for too long, and not its own work that does [contract.outage.limits]",
    {
      timeout: 60_000,
    },
    () =>
      onOwnDatabase(async (store, databaseUrl) => {
        const holder = new pg.Client({ connectionString: databaseUrl });
        await holder.connect();
        try {
          await holder.query("begin; lock table tenants");
          const look = (of: Store) => of.directory((tx) => tx.selectFrom("tenants").select("name").execute());
          const patient = look(store.patient);
          const refused: unknown = await look(store).catch((error: unknown) => error);
          expect(refused).toMatchObject({ name: "StoreUnavailable", retryAfterSeconds: 5 });
          expect(asServiceError(refused).message).toBe(
            "The database is too busy to answer in time just now. Try again.",
          );
          await holder.query("rollback");
          expect(await patient).toEqual([]);
        } finally {
          await holder.end();
        }
      }, THREE),
  );

  it(
    "end a call's wait for a connection where all are in use, and not that of work of its own [contract.outage.limits]",
    {
      timeout: 60_000,
    },
    () =>
      onOwnDatabase(async (store) => {
        const free = Promise.withResolvers<void>();
        const tenantId = crypto.randomUUID();
        const asked = (of: Store) => of.read(tenantId, (tx) => sql<{ one: number }>`select 1 as one`.execute(tx));
        const holding = Array.from({ length: 3 }, () =>
          store.patient.directory(async (tx) => {
            await sql`select 1`.execute(tx);
            await free.promise;
          }),
        );
        await expect.poll(() => store.pools().find(({ pool }) => pool === "transactions")?.used).toBe(3);
        const patient = asked(store.patient);
        await expect(asked(store)).rejects.toMatchObject({
          name: "StoreUnavailable",
          message: expect.stringContaining("DATABASE_POOL_SIZE"),
        });
        free.resolve();
        await Promise.all(holding);
        expect((await patient).rows).toEqual([{ one: 1 }]);
        const again = await Promise.all(Array.from({ length: 6 }, () => asked(store)));
        expect(again.map(({ rows }) => rows[0]?.one)).toEqual([1, 1, 1, 1, 1, 1]);
      }, THREE),
  );

  it("leave other workspaces, the directory and writes what two that ask for much do not get [contract.database.turns]", () =>
    onOwnDatabase(
      async (store) => {
        const [one, two, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
        const free = Promise.withResolvers<void>();
        const ask = (tenantId: string, work: () => Promise<void> = async () => undefined) =>
          store.read(tenantId, async (tx) => {
            await sql`select 1`.execute(tx);
            await work();
          });
        const refused: unknown[] = [];
        let told = 0;
        const unfollow = storeRefusals.follow({
          store: new AsyncLocalStorage<undefined>(),
          began: () => undefined,
          ended({ outage }) {
            if (outage === "busy") told += 1;
          },
        });
        const flood = [one, two].flatMap((of) =>
          Array.from({ length: 20 }, () =>
            ask(of, () => free.promise).catch((error: unknown) => void refused.push(error)),
          ),
        );
        expect(store.pools().find(({ pool }) => pool === "transactions")?.waiting).toBeGreaterThanOrEqual(34);
        const start = performance.now();
        await Promise.all([ask(other), ask(other), store.tryWriting()]);
        expect(performance.now() - start).toBeLessThan(2_000);
        // What waits for its own turns for too long is refused, and says why.
        await expect.poll(() => refused.length).toBe(34);
        for (const error of refused)
          expect(error).toMatchObject({
            name: "StoreUnavailable",
            message: expect.stringContaining("DATABASE_POOL_SIZE"),
          });
        expect(told).toBe(34);
        unfollow();
        free.resolve();
        await Promise.all(flood);
      },
      { poolSize: 10 },
    ));

  it("leave calls and other workspaces what the service's own work for one does not get [contract.database.turns]", () =>
    onOwnDatabase(
      async (store) => {
        const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
        const free = Promise.withResolvers<void>();
        let begun = 0;
        const own = Array.from({ length: 20 }, () =>
          store.patient.read(one, async (tx) => {
            await sql`select 1`.execute(tx);
            begun += 1;
            await free.promise;
          }),
        );
        await expect.poll(() => begun).toBe(2);
        await store.patient.read(other, (tx) => sql`select 1`.execute(tx));
        await Promise.all([one, one, other, other].map((of) => store.read(of, (tx) => sql`select 1`.execute(tx))));
        expect(begun).toBe(2);
        free.resolve();
        await Promise.all(own);
        expect(begun).toBe(20);
      },
      { poolSize: 10 },
    ));

  it("are told of as waited for only where none is free [contract.operation.metrics]", () =>
    onOwnDatabase(async (store) => {
      await store.ping();
      const writing = store.tryWriting();
      const seen: (number | undefined)[] = [];
      for (let step = 0; step < 20; step += 1) {
        seen.push(store.pools().find(({ pool }) => pool === "transactions")?.waiting);
        await Promise.resolve();
      }
      await writing;
      expect(new Set(seen)).toEqual(new Set([0]));
    }, THREE));

  it("leave another workspace a connection where there are two [contract.database.turns]", () =>
    onOwnDatabase(
      async (store) => {
        const free = Promise.withResolvers<void>();
        const slow = store.read(crypto.randomUUID(), () => free.promise);
        await store.read(crypto.randomUUID(), (tx) => sql`select 1`.execute(tx));
        free.resolve();
        await slow;
      },
      { poolSize: 2 },
    ));

  it("stand beside options that the URL brings, which never replace the role [contract.outage.limits]", () =>
    onOwnDatabase(
      async (store) => {
        await store.ping();
        const { rows } = await store.directory((tx) =>
          sql<{ mem: string }>`select current_setting('work_mem') as mem`.execute(tx),
        );
        expect(rows).toEqual([{ mem: "5MB" }]);
        const { rows: roles } = await store.read(crypto.randomUUID(), (tx) =>
          sql<{ role: string }>`select current_user as role`.execute(tx),
        );
        expect(roles).toEqual([{ role: "receivables_tenant" }]);
      },
      THREE,
      "?options=-c%20work_mem%3D5MB",
    ));

  it("are of as many connections as the setting says, and a quarter more [contract.database.pool]", () =>
    onOwnDatabase(async (store) => {
      const all = Array.from({ length: 20 }, () => store.directory((tx) => sql`select pg_sleep(0.05)`.execute(tx)));
      await Promise.all([...all, ...all.map(() => store.statement((tx) => sql`select 1`.execute(tx)))]);
      const used = store.pools().map(({ pool, used, idle }) => [pool, used + idle]);
      expect(Object.fromEntries(used)).toEqual({ transactions: 3, lookups: 1 });
    }, THREE));

  it("are given back to the server once they are idle, but for the one that listens [contract.database.pool]", () =>
    onOwnDatabase(
      async (store, databaseUrl) => {
        const other = new pg.Client({ connectionString: databaseUrl });
        await other.connect();
        try {
          await Promise.all(Array.from({ length: 8 }, () => store.directory((tx) => sql`select 1`.execute(tx))));
          await store.statement((tx) => sql`select 1`.execute(tx));
          await expect.poll(async () => (await other.query(COUNT)).rows, { timeout: 20_000 }).toEqual([{ count: 1 }]);
          await store.ping();
        } finally {
          await other.end();
        }
      },
      { idleMs: 200 },
    ));
});
