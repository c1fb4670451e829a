import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { unexpectedRows } from "../../src/store/statistics.ts";
import { customerRow, insertRows, openBook } from "../support/book.ts";
import { everyRow } from "../support/every-row.ts";
import { rowsOf } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const tables = ["customers"] as const;

describe.each(STORES)("statistics of the store on $name", ({ open }) => {
  const { store } = useStore(open);

  async function tenantWith(customers: number) {
    const { tenantId } = await openBook(store);
    await addTo(tenantId, customers);
    return tenantId;
  }

  async function addTo(tenantId: string, count: number) {
    const [connection] = await rowsOf(store, tenantId, "erp_connections");
    const id = connection?.connection_id ?? "";
    const customers = Array.from({ length: count }, () => customerRow(tenantId, id));
    await store.write(tenantId, (tx) => insertRows(tx, { customers }));
  }

  /** Customers of all tenants, when the table was last analyzed. */
  async function counted() {
    const { rows } = await everyRow(store, (tx) =>
      sql<{ rows: number }>`select reltuples as rows from pg_class where oid = 'customers'::regclass`.execute(tx),
    );
    return rows[0]?.rows ?? Number.NaN;
  }

  it("are taken for a tenant that is small beside the others [facts.store.statistics]", async () => {
    await store.takeStatistics({ tenantId: await tenantWith(6_000), tables, rows: 6_000 });
    const tenantId = await tenantWith(60);
    const unexpected = () => store.read(tenantId, (tx) => unexpectedRows(tx, tenantId, tables));
    expect(await unexpected()).toBe(60);
    await store.takeStatistics({ tenantId, tables });
    expect(await unexpected()).toBe(0);
  });

  it("are not taken again for a tenant of which they do not tell, until it has twice as many rows [facts.store.statistics]", async () => {
    // What workers analyze is told of shards.
    if (store.isDistributed) return;
    // Statistics tell of the hundred largest tenants.
    for (let larger = 0; larger < 100; larger += 1) await tenantWith(150);
    for (let tiny = 0; tiny < 200; tiny += 1) await tenantWith(1);
    const tenantId = await tenantWith(100);
    const unexpected = () => store.read(tenantId, (tx) => unexpectedRows(tx, tenantId, tables));
    const take = () => store.takeStatistics({ tenantId, tables });
    await take();
    expect(await unexpected()).toBe(100);
    const analyzed = await counted();
    await tenantWith(500);
    await take();
    expect(await counted()).toBe(analyzed);
    await addTo(tenantId, 100);
    await take();
    expect(await counted()).toBe(analyzed + 600);
  });
});
