import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BUCKETS } from "../../../src/core/aging/buckets.ts";
import { grainOf } from "../../../src/core/aging/debt-queries.ts";
import { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import { sliceOf } from "../../../src/core/aging/slice.ts";
import { onlyTotals, tables } from "../../../src/core/aging/total-queries.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { call } from "../../support/lists.ts";
import { analyze } from "../../support/reads.ts";
import { storesOf } from "../../support/stores.ts";
import { times } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";
import { bookSpec, eventSpec, happen, makeBook } from "./books.ts";
import { debtFilterSpec, filtersOf } from "./filter-specs.ts";
import { desks } from "./support.ts";
import { expectModel } from "./walk.ts";

describe.each(storesOf(import.meta.url))("aging by due day and by reason on $name", ({ open }) => {
  const desk = desks(open);

  it("takes a range of due days, both ends included, and totals obey it [completions.10.aging-due]", async () => {
    const { book, summary, customers, installments } = desk();
    await book.invoice({ customer: await book.customer() }, [
      { due_date: "2026-03-15", erp_outstanding: "1" },
      { due_date: "2026-03-16", erp_outstanding: "2" },
      { due_date: "2026-03-22", erp_outstanding: "4" },
      { due_date: "2026-03-23", erp_outstanding: "8" },
      { due_date: "2026-01-24", erp_outstanding: "16" },
      { due_date: "2026-01-23", erp_outstanding: "32" },
    ]);
    const nextWeek = { due_from: "2026-03-16", due_to: "2026-03-22" };
    expect((await summary(nextWeek)).totals).toMatchObject([{ outstanding: "6.00", current: "6.00", overdue: "0.00" }]);
    expect((await customers(nextWeek)).data).toMatchObject([{ outstanding: "6.00", installment_count: 2 }]);
    expect((await installments(nextWeek)).data.map((row) => row.amount)).toEqual(["2.00", "4.00"]);
    const overdueByMoreThan45Days = { due_to: "2026-01-23" };
    expect((await summary(overdueByMoreThan45Days)).totals).toMatchObject([
      { outstanding: "32.00", days_31_60: "32.00" },
    ]);
    expect((await summary({ due_from: "2026-03-24" })).totals).toEqual([]);
    expect((await summary({ ...nextWeek, overdue_only: true })).totals).toEqual([]);
  });

  it("tells why a debt cannot be collected, and takes that as a filter [completions.10.aging-reason]", async () => {
    const { book, summary, customers, installments } = desk();
    await book.invoice({}, [
      { erp_outstanding: "1" },
      { erp_outstanding: "2", disputed: true, not_collectible_reason: "disputed" },
      { erp_outstanding: "4", not_collectible_reason: "no_billing_email" },
      { erp_outstanding: "8", closed: true, not_collectible_reason: "closed" },
    ]);
    await book.invoice({ due_date: "2026-03-31", collection_outstanding: "16" });
    const own = { not_collectible_reason: "no_billing_email" as const };
    await book.invoice({ ...own, due_date: "2026-03-31", collection_outstanding: "32" });
    const owed = async (input: object) => (await summary(input)).totals.map(({ outstanding }) => Number(outstanding));
    expect(await owed({ not_collectible_reason: "disputed" })).toEqual([2]);
    expect(await owed({ not_collectible_reason: "no_billing_email" })).toEqual([36]);
    expect(await owed({ collectible: true })).toEqual([1]);
    expect(await owed({ collectible: false })).toEqual([54]);
    expect(await owed({ collectible: true, not_collectible_reason: "disputed" })).toEqual([]);
    for (const never of ["retired", "removed", "closed", "nothing_outstanding"])
      for (const ask of [summary, customers, installments])
        expect((await ask({ not_collectible_reason: never })).totals).toEqual([]);
    const rows = (await installments()).data.map((row) => [
      Number(row.amount),
      row.collectible,
      row.not_collectible_reason,
    ]);
    expect(rows.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [1, true, null],
      [2, false, "disputed"],
      [4, false, "no_billing_email"],
      [16, false, null],
      [32, false, "no_billing_email"],
    ]);
  });

  it("tells of a customer how long its oldest debt is overdue, after the filters [completions.10.max-days-overdue]", async () => {
    const { book, customers } = desk();
    const oldest = async (input: object = {}) => (await customers(input)).data.map((row) => row.max_days_overdue);
    const customer = await book.customer();
    await book.invoice({ customer }, [{ due_date: "2026-03-10" }]);
    expect(await oldest()).toEqual([null]);
    await book.invoice({ customer }, [
      { due_date: "2026-03-09" },
      { due_date: "2025-12-01" },
      { due_date: "2025-11-01", closed: true },
    ]);
    await book.invoice({ customer, currency: "EUR" }, [{ due_date: "2026-02-08" }]);
    await book.invoice({ due_date: "2026-03-07", currency: "GBP" });
    expect(await oldest()).toEqual([30, 3, 99]);
    expect(await oldest({ bucket: "days_1_30" })).toEqual([30, 3, 1]);
    expect(await oldest({ bucket: "current" })).toEqual([null]);
    expect(await oldest({ due_from: "2025-12-02" })).toEqual([30, 3, 1]);
  });

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

describe.each(storesOf(import.meta.url))("filters of aging together on $name", ({ open }) => {
  const opened = useStore(open);

  it("let through what each of them lets through, in rows and totals [completions.10.aging-combined]", async () => {
    let rowsSeen = 0;
    const drawn = [
      bookSpec,
      fc.array(eventSpec, { maxLength: 3 }),
      fc.array(debtFilterSpec, { minLength: 6, maxLength: 8 }),
    ] as const;
    await fc.assert(
      fc.asyncProperty(...drawn, async (spec, events, given) => {
        const { book, model } = await makeBook(opened.store, spec);
        const clock = new TestClock(spec.now);
        const core = testCore(opened.store, clock);
        await call(core, summarizeAging, book.reader);
        for (const event of events) await happen(opened.store, book, model, event);
        clock.set(model.now);
        for (const filters of given.map((one) => filtersOf(one, model))) {
          rowsSeen += await expectModel(core, book.reader, model, filters);
        }
      }),
      { numRuns: times(5, 60) },
    );
    expect(rowsSeen).toBeGreaterThan(0);
  });
});
