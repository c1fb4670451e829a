import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { customerRow, insertRows, openBook } from "../support/book.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

describe.each(STORES)("statistics of the store on $name", ({ open }) => {
  const { store } = useStore(open);

  const known = async () => {
    const { rows } = await store.directory((tx) =>
      sql<{ rows: number }>`select reltuples::int as rows from pg_class where oid = 'customers'::regclass`.execute(tx),
    );
    return rows[0]?.rows;
  };

  it("are taken for a tenant that is small beside the others [facts.store.statistics]", async () => {
    const taken = async (customers: number, rows: number) => {
      const { tenantId, connectionId } = await openBook(store);
      const made = Array.from({ length: customers }, () => customerRow(tenantId, connectionId));
      await store.write(tenantId, (tx) => insertRows(tx, { customers: made }));
      await store.takeStatistics({ tenantId, tables: ["customers"], rows });
    };
    await taken(300, 1_000_000);
    const before = (await known()) ?? 0;
    await taken(4, 4);
    expect([before >= 300, await known()]).toEqual([true, before + 4]);
  });
});
