import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, inject, it } from "vitest";
import { lockTenantFigures } from "../../src/core/collection/collection-queries.ts";
import { lockCustomer } from "../../src/core/customers/queries.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { workStep } from "../../src/core/gate/work-step.ts";
import { openPostgres } from "../../src/store/database.ts";
import type { Store, Transaction } from "../../src/store/store.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { erpItem, makePullWorld, type PullWorld } from "../support/pulls.ts";
import { addTenants, setRows } from "../support/stored.ts";
import { createDatabase, everyRow, onOwnDatabase, STORES } from "../support/stores.ts";

const nameOf = (tenantId: string) => (tx: Transaction) =>
  tx.selectFrom("tenants").select("name").where("tenant_id", "=", tenantId).executeTakeFirst();

const newTenant = async (store: Store): Promise<string> => (await addTenants(store, {}))[0] ?? "";

describe.each(STORES)("a transaction on $name", ({ open }) => {
  it("in which a statement failed is not committed, even if nobody minded [isolation.transactions]", async () => {
    const { store, remove } = await open();
    try {
      const tenantId = await newTenant(store);
      const before = await store.read(tenantId, nameOf(tenantId));
      const careless = store.write(tenantId, async (tx) => {
        await tx.updateTable("tenants").set({ name: "Renamed" }).where("tenant_id", "=", tenantId).execute();
        await sql`select 1 / 0`.execute(tx).catch(() => undefined);
        return "done";
      });
      await expect(careless).rejects.toThrow("not committed");
      expect(await store.read(tenantId, nameOf(tenantId))).toEqual(before);
      // One that comes after has nothing of it.
      await setRows(store, tenantId, "tenants", { name: "Later" });
      expect(await store.read(tenantId, nameOf(tenantId))).toEqual({ name: "Later" });
    } finally {
      await remove();
    }
  });

  it("without a statement begins and ends all the same [isolation.transactions]", async () => {
    const { store, remove } = await open();
    try {
      const tenantId = await newTenant(store);
      expect(await store.read(tenantId, async () => 1)).toBe(1);
      expect(await store.write(tenantId, async () => 2)).toBe(2);
      await expect(store.write(tenantId, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
      expect(await store.read(tenantId, nameOf(tenantId))).toBeDefined();
    } finally {
      await remove();
    }
  });
});

describe.skipIf(inject("postgresUrl") === null)("one connection to PostgreSQL, used again and again", () => {
  it("reads what is there now, whoever wrote it and however soon [isolation.transactions]", async () => {
    const { databaseUrl, drop } = await createDatabase();
    const store = await openPostgres(databaseUrl, { poolSize: 1 });
    const other = await openPostgres(databaseUrl, { poolSize: 1 });
    try {
      const [tenantId, another] = [await newTenant(store), await newTenant(store)];
      for (let n = 0; n < 50; n += 1) {
        const name = `Name ${n}`;
        await other.write(tenantId, (tx) =>
          tx.updateTable("tenants").set({ name }).where("tenant_id", "=", tenantId).execute(),
        );
        expect(await store.read(tenantId, nameOf(tenantId))).toEqual({ name });
        // The same connection, as somebody else: nothing of the one before is left on it.
        expect(await store.read(another, nameOf(tenantId))).toBeUndefined();
        await store.ping();
        await store.publish({ topic: "test", payload: name });
      }
    } finally {
      await Promise.all([store.close(), other.close()]);
      await drop();
    }
  });

  it("holds nothing open once it is left alone [isolation.transactions]", async () => {
    const { databaseUrl, drop } = await createDatabase();
    const store = await openPostgres(databaseUrl, { poolSize: 1 });
    const other = await openPostgres(databaseUrl, { poolSize: 1 });
    try {
      const tenantId = await newTenant(store);
      await store.read(tenantId, nameOf(tenantId));
      const open = () =>
        everyRow(other, async (tx) => {
          const { rows } = await sql`select from pg_stat_activity
            where datname = current_database() and state like 'idle in transaction%'`.execute(tx);
          return rows.length;
        });
      await expect.poll(open, { timeout: 10_000 }).toBe(0);
    } finally {
      await Promise.all([store.close(), other.close()]);
      await drop();
    }
  });
});

describe.skipIf(inject("postgresUrl") === null)("two that each wait for what the other has locked", () => {
  it("are both done, the one that PostgreSQL undoes a second time [contract.deadlocks]", () =>
    onOwnDatabase(
      async (store) => {
        const book = await openBook(store);
        const [one, other] = [(await book.customer()).customer_id, (await book.customer()).customer_id];
        const begun: string[] = [];
        const haveBoth = Promise.withResolvers<void>();
        const lockInTurn = workStep({
          name: "lockInTurn",
          async run({ tx }, [first, second]: readonly [string, string]) {
            await lockCustomer(tx, book.tenantId, first);
            if (begun.push(first) === 2) haveBoth.resolve();
            await haveBoth.promise;
            await lockCustomer(tx, book.tenantId, second);
            return first;
          },
        });
        const turns = [[one, other] as const, [other, one] as const];
        const done = Promise.all(turns.map((turn) => lockInTurn(testCore(store), book.tenantId, turn)));
        expect(await done).toEqual([one, other]);
        expect(begun).toHaveLength(3);
      },
      { poolSize: 4 },
    ));
});

describe.skipIf(inject("postgresUrl") === null)("what locks a workspace's figures and an ERP connection", () => {
  it.each<[what: string, act: (world: PullWorld) => Promise<unknown>]>([
    ["a page of a pull", ({ pull }) => pull()],
    [
      "the end of a pull",
      ({ erp, pull }) => {
        erp.control({ mode: "401" });
        return pull();
      },
    ],
    ["a change", ({ act, connectionId }) => act(setErp, { connectionId, pullFrom: "2026-01-01" })],
  ])("holds no connection while it waits for the figures: %s [contract.lock-order]", (_what, act) =>
    onOwnDatabase(
      async (store) => {
        const world = await makePullWorld(store, { invoices: [erpItem({})] });
        const { tenantId: tenant_id, connectionId: connection_id } = world;
        const [done] = await store.write(tenant_id, async (tx) => {
          await lockTenantFigures(tx, tenant_id);
          const acting = act(world);
          await sleep(1_000);
          const free = tx.selectFrom("erp_connections").select("connection_id").where("tenant_id", "=", tenant_id);
          expect(await free.forNoKeyUpdate().noWait().execute()).toEqual([{ connection_id }]);
          return [acting];
        });
        await done;
        await world.erp.close();
      },
      { poolSize: 6 },
    ),
  );
});
