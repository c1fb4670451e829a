import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BUCKETS } from "../../../src/core/aging/buckets.ts";
import { grainOf } from "../../../src/core/aging/debt-queries.ts";
import { sliceOf } from "../../../src/core/aging/slice.ts";
import { onlyTotals, tables } from "../../../src/core/aging/total-queries.ts";
import { analyze } from "../../support/reads.ts";
import { STORES, storesOf } from "../../support/stores.ts";
import { desks } from "./support.ts";

const PlanNode = z.looseObject({
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().default(0),
  "Rows Removed by Join Filter": z.number().default(0),
});

describe.each(storesOf(import.meta.url))("aging filters on $name", ({ open }) => {
  const desk = desks(open);

  it("searches name and number literally, in any case [service.4.10.search]", async () => {
    const { book, summary, customers, installments } = desk();
    const amountsOf = async (input: object) => (await installments(input)).data.map((row) => row.amount);
    const owed = async (name: string | null, number: string | null, amount: string): Promise<void> => {
      const customer = await book.customer({ name, number });
      await book.invoice({ customer }, [{ erp_outstanding: amount }]);
    };
    await owed("Café 100%", "A_1", "1");
    await owed("Café 1000", "AB1", "2");
    await owed("back\\slash", null, "4");
    await owed("ΟΔΥΣΣΕΥΣ ΑΕ", null, "16");
    await book.invoice({
      origin: "local",
      due_date: "2026-03-31",
      customer_name: "CAFÉ NERO",
      collection_outstanding: "8",
    });
    const found = async (search: string) => (await amountsOf({ search })).map(Number).sort((a, b) => a - b);
    expect(await found("cafÉ")).toEqual([1, 2, 8]);
    expect(await found("Cafe\u0301")).toEqual([1, 2, 8]);
    expect(await found("100%")).toEqual([1]);
    expect(await found("_")).toEqual([1]);
    expect(await found("a_1")).toEqual([1]);
    expect(await found("\\")).toEqual([4]);
    for (const part of ["ΟΔΥΣ", "οδυς", "Οδυσσευς", "υσ α"]) expect(await found(part)).toEqual([16]);
    expect(await found("100%a")).toEqual([]);
    expect(await found("100%\nA")).toEqual([]);
    expect((await customers({ search: "NERO" })).data).toMatchObject([{ customer_name: "CAFÉ NERO" }]);
    expect((await summary({ search: "nero" })).totals).toMatchObject([{ outstanding: "8.00" }]);
  });

  it("refuses what is out of bounds, in all three alike [service.4.10.parameters] [completions.10.aging-refused]", async () => {
    const { summary, customers, installments } = desk();
    const wrong: [field: string, input: object, message?: RegExp][] = [
      ["currency", { currency: "usd" }],
      ["currency", { currency: "UNKNOWNS" }],
      ["search", { search: "" }],
      ["search", { search: "x".repeat(201) }],
      ["search", { search: "a\0b" }],
      ["customer_key", { customer_key: "42" }],
      ["customer_key", { customer_key: "unassigned:42" }],
      ["customer_key", { customer_key: `nobody:${crypto.randomUUID()}` }],
      ["bucket", { bucket: "over_60" }],
      ["overdue_only", { overdue_only: "yes" }],
      ["sort", { sort: "due_asc" }],
      ["limit", { limit: 0 }],
      ["limit", { limit: 101 }],
      ["cursor", { cursor: "" }],
      ["cursor", { cursor: "x".repeat(401) }],
      ["as_of", { as_of: "2026-01-01" }],
      ["due_from", { due_from: "2026-02-30" }, /2026-02-30/],
      ["due_to", { due_to: "soon" }, /soon/],
      ["due_from", { due_from: "2026-03-02", due_to: "2026-03-01" }, /must not be after `due_to`, which is 2026-03-01/],
      ["collectible", { collectible: "maybe" }, /true or false/],
      ["not_collectible_reason", { not_collectible_reason: "dispute" }, /`disputed`/],
    ];
    for (const [field, input, message = /./] of wrong)
      for (const ask of [summary, customers, installments])
        await expect(ask(input), JSON.stringify(input)).rejects.toMatchObject({
          code: "validation_failed",
          details: [{ field, message: expect.stringMatching(message) }],
        });
    expect((await customers({ search: "x".repeat(200), currency: "UNKNOWN", limit: 100 })).data).toEqual([]);
    expect((await summary({ due_from: "2026-03-01", due_to: "2026-03-01" })).totals).toEqual([]);
  });

  it("are never compared one by one with customers or currencies [facts.scale.joined]", async () => {
    const { book, opened, customers } = desk();
    const count = 120;
    for (let made = 0; made < count; made += 1) {
      const currency = `${"ABCDEFGHIJKL"[made % 12]}${"ABCDEFGHIJ"[Math.floor(made / 12)]}X`;
      await book.invoice({ customer: await book.customer({ name: "Acme" }), currency }, [{ erp_outstanding: "1" }]);
    }
    expect((await customers({ search: "acme", collectible: true, limit: 100 })).data).toHaveLength(100);
    await analyze(opened.store);
    const all = { tenantId: book.tenantId, reportDate: "2026-03-10", buckets: BUCKETS, search: "acme" };
    const slice = sliceOf(all) ?? expect.fail("every bucket is asked for");
    for (const query of [all, { ...all, collectible: true }])
      for (const read of [tables(query, slice, grainOf(query)), onlyTotals(query, slice)]) {
        const plan = await opened.store.read(book.tenantId, (tx) =>
          sql<object>`explain (analyze, format json) with ${read} select * from totals`.execute(tx),
        );
        let compared = 0;
        JSON.parse(JSON.stringify(plan.rows), (_, part: unknown) => {
          const { success, data } = PlanNode.safeParse(part);
          if (success)
            compared += data["Actual Loops"] * (data["Rows Removed by Filter"] + data["Rows Removed by Join Filter"]);
          return part;
        });
        expect(compared, JSON.stringify(plan.rows)).toBeLessThan(4 * count);
      }
  });
});

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
