import { describe, expect, it } from "vitest";
import { unexpectedRows } from "../../src/store/statistics.ts";
import { customerRow, insertRows, openBook } from "../support/book.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const tables = ["customers"] as const;

describe.each(STORES)("statistics of the store on $name", ({ open }) => {
  const { store } = useStore(open);

  async function tenantWith(customers: number) {
    const { tenantId, connectionId } = await openBook(store);
    const made = Array.from({ length: customers }, () => customerRow(tenantId, connectionId));
    await store.write(tenantId, (tx) => insertRows(tx, { customers: made }));
    return tenantId;
  }

  it("are taken for a tenant that is small beside the others [facts.store.statistics]", async () => {
    await store.takeStatistics({ tenantId: await tenantWith(6_000), tables, rows: 6_000 });
    const tenantId = await tenantWith(60);
    const unexpected = () => store.read(tenantId, (tx) => unexpectedRows(tx, tenantId, tables));
    expect(await unexpected()).toBe(60);
    await store.takeStatistics({ tenantId, tables });
    expect(await unexpected()).toBe(0);
  });
});
