import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgingGrouping } from "../../../src/core/aging/list-parameters.ts";
import { listAgingInstallments } from "../../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import type { Actor, Core, Operation } from "../../../src/core/gate/operation.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { call } from "../../support/lists.ts";
import { STORES } from "../../support/stores.ts";
import { times } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";
import { bookSpec, eventSpec, happen, makeBook } from "./books.ts";
import { filterSpec, filtersOf } from "./filter-specs.ts";
import { modelReport } from "./model.ts";
import { modelGroups } from "./model-groups.ts";
import { walk } from "./walk.ts";

const RUNS = times(5, 60);
/** Of the books that every run begins with. */
const SEED = 1;

const RANKED = { sort: "outstanding_desc", limit_per_currency: 2 } as const;

/** The first rows of each currency, at most `count`. */
function firstOfEach<Row extends { currency: string }>(rows: readonly Row[], count: number): Row[] {
  return rows.filter((row, at) => rows.slice(0, at).filter(({ currency }) => currency === row.currency).length < count);
}

/** All that the rows of both lists say of debts; links and what else stands against a debt move no revision. */
const rowsOf = ({ customers, installments }: ReturnType<typeof modelReport>) => [
  customers,
  installments.map(({ available_amount: _, not_collectible_reasons: __, ...debt }) => debt),
];

/** A report but for the instant of the call, and the version that was told before it. */
async function versionOf(core: Core, list: Operation, actor: Actor, input: object) {
  const versions: string[] = [];
  const onVersion = (version: string): void => void versions.push(version);
  const answer = await list.call(actor, input, { core, requestId: "req_test", onVersion });
  expect(versions).toHaveLength(1);
  return { version: versions[0], answer: JSON.stringify({ ...Object(answer), generated_at: null }) };
}

describe.each(STORES)("aging against a naive model on $name", ({ open }) => {
  const opened = useStore(open);

  it("answers as the model does, page by page, whatever befell the book [service.4.10.1] [service.4.10.2] [service.4.10.4] [service.4.10.sort] [service.4.10.bucket] [service.4.10.overdue-only] [service.4.10.currency] [service.2.6.currencies] [service.2.6.installment-row] [service.2.6.installment-count] [service.2.6.customer-row] [service.2.6.counts] [service.2.6.report-date] [service.2.6.data-updated] [completions.6.days-overdue] [completions.10.max-days-overdue] [service.2.6.totals] [service.2.6.one-revision] [completions.10.aging-connection] [completions.10.aging-groups] [completions.10.limit-per-currency] [completions.10.aging-twins]", async () => {
    const { store } = opened;
    let rowsSeen = 0;
    const step = fc.record({
      events: fc.array(eventSpec, { maxLength: 4 }),
      filters: filterSpec,
      limit: fc.integer({ min: 1, max: 9 }),
    });
    const drawn = [bookSpec, fc.array(step, { minLength: 1, maxLength: 3 })] as const;
    await fc.assert(
      fc.asyncProperty(...drawn, async (spec, steps) => {
        const { book, model } = await makeBook(store, spec);
        const clock = new TestClock(spec.now);
        const core = testCore(store, clock);
        for (const { events, filters: given, limit } of steps) {
          for (const event of events) await happen(store, book, model, event);
          clock.set(model.now);
          const filters = filtersOf(given, model);
          const expected = modelReport(model, filters);

          const { revision, nearest: _, ...summary } = await call(core, summarizeAging, book.reader, filters);
          expect(summary).toEqual(expected.envelope);
          for (const by of AgingGrouping.options) {
            const { groups } = await call(core, summarizeAging, book.reader, { ...filters, group_by: by });
            expect(groups).toEqual(modelGroups(model, filters, by));
          }
          expect(
            (await call(core, listCustomerAging, book.reader, { ...filters, ...RANKED, limit: 100 })).data,
          ).toEqual(firstOfEach(modelReport(model, { ...filters, ...RANKED }).customers, RANKED.limit_per_currency));
          for (const [list, rows] of [
            [listCustomerAging, expected.customers],
            [listAgingInstallments, expected.installments],
          ] as const) {
            expect(await walk(core, list, book.reader, filters, limit)).toEqual({
              envelope: { ...expected.envelope, revision },
              data: rows,
              total_count: rows.length,
            });
            rowsSeen += rows.length;
          }
        }
      }),
      { numRuns: RUNS, examples: fc.sample(fc.tuple(...drawn), { seed: SEED, numRuns: 2 }) },
    );
    expect(rowsSeen).toBeGreaterThan(0);
  });

  it("changes the revision with the rows behind the answer, and only then; the version with every field [service.2.6.revision] [completions.13.etag-fields]", async () => {
    const { store } = opened;
    const seen = { changed: 0, same: 0 };
    const drawn = [
      bookSpec,
      fc.array(filterSpec, { minLength: 1, maxLength: 3 }),
      fc.array(eventSpec, { minLength: 4, maxLength: 8 }),
    ] as const;
    await fc.assert(
      fc.asyncProperty(...drawn, async (spec, given, events) => {
        const { book, model } = await makeBook(store, spec);
        const clock = new TestClock(spec.now);
        const core = testCore(store, clock);
        const filters = given.map((one) => filtersOf(one, model));
        const look = () =>
          Promise.all(
            filters.map(async (one) => ({
              rows: rowsOf(modelReport(model, one)),
              revision: (await call(core, summarizeAging, book.reader, one)).revision,
              reports: await Promise.all(
                [listCustomerAging, listAgingInstallments].map((list) =>
                  versionOf(core, list, book.reader, { ...one, include: "payment_history" }),
                ),
              ),
            })),
          );
        let before = await look();
        for (const event of events) {
          await happen(store, book, model, event);
          clock.set(model.now);
          const after = await look();
          for (const [index, now] of after.entries()) {
            const same = JSON.stringify(now.rows) === JSON.stringify(before[index]?.rows);
            expect(now.revision === before[index]?.revision, JSON.stringify(event)).toBe(same);
            seen[same ? "same" : "changed"] += 1;
            // The version is read first, and so may be another for the same answer.
            for (const [place, { version, answer }] of now.reports.entries())
              if (version === before[index]?.reports[place]?.version)
                expect(answer).toBe(before[index]?.reports[place]?.answer);
          }
          before = after;
        }
      }),
      // Few events change what few filters show: the first books are always the same, and see both.
      { numRuns: RUNS, examples: fc.sample(fc.tuple(...drawn), { seed: SEED, numRuns: 4 }) },
    );
    expect(Math.min(seen.changed, seen.same)).toBeGreaterThan(0);
  });
});
