import { rmSync } from "node:fs";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbedded } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import { connectionRow, insertRows, invoiceRow, tenantRow } from "../support/book.ts";
import { copyEmbedded } from "../support/stores.ts";

const INVOICES = 1_000;

describe("maintenance of the embedded store", () => {
  const tenant = tenantRow();
  const tenantId = tenant.tenant_id;
  const connection = connectionRow(tenantId);
  let dataDir: string;
  let store: Store;
  beforeEach(async () => {
    dataDir = copyEmbedded();
    store = await openEmbedded(dataDir);
    await store.directory((tx) => tx.insertInto("tenants").values(tenant).execute());
    const invoices = Array.from({ length: INVOICES }, () =>
      invoiceRow(tenantId, { connection_id: connection.connection_id }),
    );
    await store.write(tenantId, (tx) => insertRows(tx, { erp_connections: [connection], invoices }));
  });
  afterEach(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** How often each table was vacuumed and analyzed since the store was opened. */
  async function counts(): Promise<Record<string, unknown>> {
    const { rows } = await store.directory((tx) =>
      sql<{ name: string; counts: string }>`
        select relname as name, concat_ws(' ', vacuum_count, analyze_count) as counts
        from pg_stat_user_tables where vacuum_count + analyze_count > 0`.execute(tx),
    );
    return Object.fromEntries(rows.map((row) => [row.name, row.counts]));
  }

  const change = (count: number) =>
    store.write(tenantId, (tx) =>
      sql`update invoices set currency = currency where tenant_id = ${tenantId}
        and invoice_id in (select invoice_id from invoices where tenant_id = ${tenantId} limit ${count})`.execute(tx),
    );

  it("vacuums and analyzes what has changed much, and nothing else", async () => {
    await store.maintain();
    const first = await counts();
    expect(first).toMatchObject({ invoices: "1 1", erp_connections: "1 1" });
    expect(first).not.toHaveProperty("payments");
    await change(100);
    await store.maintain();
    expect(await counts()).toEqual(first);
    await change(100);
    await store.maintain();
    expect(await counts()).toMatchObject({ invoices: "1 2", erp_connections: "1 1" });
    await change(INVOICES / 2);
    await store.maintain();
    expect(await counts()).toMatchObject({ invoices: "2 3", erp_connections: "1 1" });
  });

  it("vacuums what changed at all since the store was opened, for earlier changes are not known", async () => {
    await change(100);
    await store.close();
    store = await openEmbedded(dataDir);
    await store.maintain();
    expect(await counts()).not.toHaveProperty("invoices");
    await change(1);
    await store.maintain();
    expect(await counts()).toMatchObject({ invoices: "1 1" });
  });

  it("lets others in between two tables", async () => {
    const order: string[] = [];
    const maintained = store.maintain().then(() => order.push("maintained"));
    for (const name of ["first", "second", "third"]) {
      await store.read(tenantId, (tx) => tx.selectFrom("tenants").select("tenant_id").execute());
      order.push(name);
    }
    await maintained;
    expect(order).toEqual(["first", "second", "third", "maintained"]);
  });
});
