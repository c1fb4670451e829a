import { describe, expect, it } from "vitest";
import { STORES } from "../../support/stores.ts";
import { desks } from "./support.ts";

/** Where a walk ends. */
const WHOLE = { next_cursor: null, as_of: expect.any(String) };

describe.each(STORES)("aging pages and orders on $name", ({ open }) => {
  const desk = desks(open);

  it("has neither rows nor pages in the summary [service.4.10.4]", async () => {
    const { book, summary, customers, installments } = desk();
    await book.invoice({}, [{}]);
    const { data, pagination, ...envelope } = await customers();
    expect(data).toHaveLength(1);
    expect(pagination).toEqual({ ...WHOLE, total_count: 1, limit: 50 });
    expect(await summary({ sort: "customer_asc", limit: 3 })).toEqual(envelope);
    expect((await installments()).pagination).toEqual({ ...WHOLE, total_count: 1, limit: 50 });
  });

  it("pages 50 rows unless asked otherwise, and counts them all [service.8.aging-page] [service.2.6.pagination]", async () => {
    const { book, installments } = desk();
    await book.invoice(
      {},
      Array.from({ length: 103 }, (_, index) => ({ sequence_number: index + 1, erp_outstanding: "1" })),
    );
    const first = await installments();
    expect(first.data).toHaveLength(50);
    expect(first.pagination).toMatchObject({ total_count: 103, limit: 50 });
    expect(first.totals).toMatchObject([{ outstanding: "103.00" }]);
    const second = await installments({ cursor: first.pagination.next_cursor });
    expect(second.data.map((row) => row.sequence_number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 51));
    const large = await installments({ limit: 100 });
    expect(large.data).toHaveLength(100);
    const rest = await installments({ limit: 100, cursor: large.pagination.next_cursor });
    expect(rest.data.map((row) => row.sequence_number)).toEqual([101, 102, 103]);
    expect(rest.pagination).toEqual({ ...WHOLE, total_count: 103, limit: 100 });
  });
});
