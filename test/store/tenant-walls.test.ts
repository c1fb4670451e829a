import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../src/store/store.ts";
import { TENANT_TABLES } from "../../src/store/tables/index.ts";
import { testCore } from "../support/core.ts";
import { peopleOf } from "../support/people.ts";
import { addTenants } from "../support/stored.ts";
import { everyRow, STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const NOW = "2026-03-10T15:00:00.000Z";
/** Tables of the directory; they are looked up by what leads to the tenant. */
const LEADING_TO_TENANTS = ["sign_in_domains", "tenant_routes"];

describe.each(STORES)("the walls between tenants on $name", ({ open }) => {
  const { store } = useStore(open);
  let [ours, theirs] = ["", ""];

  beforeAll(async () => {
    [ours = "", theirs = ""] = await addTenants(store, {}, {});
    for (const tenantId of [ours, theirs]) await peopleOf(testCore(store)).addPerson(tenantId);
  });

  const count = async (tx: Transaction, table: string): Promise<number> =>
    (await sql.raw<{ n: string }>(`select count(*) as n from ${table}`).execute(tx)).rows.map((row) =>
      Number(row.n),
    )[0] ?? -1;

  it("a query that forgets the tenant sees its own tenant's rows only [isolation.walls]", async () => {
    const names = await store.read(ours, (tx) => sql<{ tenant_id: string }>`select tenant_id from members`.execute(tx));
    expect(names.rows).toEqual([{ tenant_id: ours }]);
  });

  it("a query outside every tenant's transaction sees nothing in any table [isolation.walls]", async () => {
    // A transaction whose tenant has no rows is what a forgotten setting looks like to the policies.
    for (const table of TENANT_TABLES) {
      expect(await store.read(randomUUID(), (tx) => count(tx, table)), table).toBe(0);
      const forgotten = await store.read(ours, async (tx) => {
        await sql`set local app.tenant_id = ''`.execute(tx);
        return count(tx, table);
      });
      expect(forgotten, table).toBe(0);
    }
  });

  it("a statement that asks for another tenant's rows by id gets none, and changes none [isolation.walls]", async () => {
    await store.write(ours, async (tx) => {
      const read = await tx.selectFrom("members").selectAll().where("tenant_id", "=", theirs).execute();
      expect(read).toEqual([]);
      const changed = await tx
        .updateTable("members")
        .set({ role: "member" })
        .where("tenant_id", "=", theirs)
        .executeTakeFirst();
      expect(changed.numUpdatedRows).toBe(0n);
      const raw = await sql`update members set role = 'member' where tenant_id = ${theirs} returning 1`.execute(tx);
      expect(raw.rows).toEqual([]);
    });
  });

  it("a row cannot be written into another tenant [isolation.walls]", async () => {
    const write = store.write(ours, (tx) =>
      tx.insertInto("rate_windows").values({ tenant_id: theirs, subject: "x", window_start: NOW, hits: 1 }).execute(),
    );
    await expect(write).rejects.toThrow(/row-level security/);
  });

  it("an outer join stays one behind the wall", async () => {
    const rows = await store.read(ours, (tx) =>
      tx
        .selectFrom("members")
        .leftJoin("api_keys", "api_keys.tenant_id", "members.tenant_id")
        .select(["members.tenant_id", "api_keys.key_id"])
        .execute(),
    );
    expect(rows).toEqual([{ tenant_id: ours, key_id: null }]);
  });

  it("no tenant sees the directory's people, its own members among them [isolation.walls]", async () => {
    await expect(store.read(ours, (tx) => count(tx, "people"))).rejects.toThrow("permission denied");
  });

  it("every table with a tenant is guarded, and its primary key starts with it", async () => {
    const { rows } = await everyRow(store, (tx) =>
      sql<{ name: string; forced: boolean; first: string }>`
        select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced, a.attname as first
        from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
        join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where c.relnamespace = 'public'::regnamespace and exists
          (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and t.attnotnull)`.execute(
        tx,
      ),
    );
    expect(new Set(rows.map((row) => row.name))).toEqual(new Set([...TENANT_TABLES, ...LEADING_TO_TENANTS]));
    for (const row of rows) expect(row).toMatchObject({ forced: true });
    for (const row of rows) if (TENANT_TABLES.has(row.name)) expect(row).toMatchObject({ first: "tenant_id" });
  });
});
