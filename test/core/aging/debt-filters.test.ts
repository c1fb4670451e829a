import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BUCKETS } from "../../../src/core/aging/buckets.ts";
import { grainOf } from "../../../src/core/aging/debt-queries.ts";
import { sliceOf } from "../../../src/core/aging/slice.ts";
import { onlyTotals, tables } from "../../../src/core/aging/total-queries.ts";
import { analyze } from "../../support/reads.ts";
import { storesOf } from "../../support/stores.ts";
import { desks } from "./support.ts";

describe.each(storesOf(import.meta.url))("aging by due day and by reason on $name", ({ open }) => {
  const desk = desks(open);

  it("refuses days that do not exist, a range that ends before it begins and unknown reasons [completions.10.aging-refused]", async () => {
    const { summary, customers, installments } = desk();
    const wrong: [field: string, message: RegExp, input: object][] = [
      ["due_from", /2026-02-30/, { due_from: "2026-02-30" }],
      ["due_to", /soon/, { due_to: "soon" }],
      [
        "due_from",
        /must not be after `due_to` \(2026-03-01\), but is 2026-03-02/,
        { due_from: "2026-03-02", due_to: "2026-03-01" },
      ],
      ["collectible", /true or false/, { collectible: "maybe" }],
      ["not_collectible_reason", /`disputed`/, { not_collectible_reason: "dispute" }],
    ];
    for (const [field, message, input] of wrong)
      for (const ask of [summary, customers, installments])
        await expect(ask(input), JSON.stringify(input)).rejects.toMatchObject({
          code: "validation_failed",
          details: [{ field, message: expect.stringMatching(message) }],
        });
    expect((await summary({ due_from: "2026-03-01", due_to: "2026-03-01" })).totals).toEqual([]);
  });
});

const PlanNode = z.looseObject({
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().default(0),
  "Rows Removed by Join Filter": z.number().default(0),
});

describe.each(storesOf(import.meta.url))("debts of a search on $name", ({ open }) => {
  const desk = desks(open);

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
