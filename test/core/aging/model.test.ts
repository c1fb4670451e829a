import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listAgingInstallments } from "../../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import type { Actor, Core, Operation } from "../../../src/core/gate/operation.ts";
import { verifyAging } from "../../../src/store/aging/verify.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { call } from "../../support/lists.ts";
import { storesOf } from "../../support/stores.ts";
import { times } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";
import { bookSpec, eventSpec, happen, makeBook } from "./books.ts";
import { debtFilterSpec, filterSpec, filtersOf, historyFilterSpec } from "./filter-specs.ts";
import { modelReport } from "./model.ts";
import { expectModel } from "./walk.ts";

const RUNS = times(4, 60);
/** Of the books that every run begins with. */
const SEED = 1;

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

describe.each(storesOf(import.meta.url))("aging against a naive model on $name", ({ open }) => {
  const opened = useStore(open);

  it("answers as the model does, page by page, whatever befell the book [service.4.10.1] [service.4.10.2] [service.4.10.4] [service.4.10.sort] [service.4.10.bucket] [service.4.10.overdue-only] [service.4.10.currency] [service.2.6.currencies] [service.2.6.installment-row] [service.2.6.installment-count] [service.2.6.customer-row] [service.2.6.counts] [service.2.6.report-date] [service.2.6.data-updated] [completions.6.days-overdue] [completions.10.max-days-overdue] [service.2.6.totals] [service.2.6.one-revision] [completions.10.aging-connection] [completions.10.aging-groups] [completions.10.limit-per-currency] [completions.10.aging-twins] [completions.10.aging-combined] [completions.10.payment-history-exact] [completions.10.payment-history] [completions.10.payment-history-asked] [completions.10.aging-due] [completions.10.aging-reason] [service.4.10.customer-key]", async () => {
    const { store } = opened;
    let rowsSeen = 0;
    const step = fc.record({
      events: fc.array(eventSpec, { maxLength: 4 }),
      filters: fc.array(fc.oneof(filterSpec, debtFilterSpec, historyFilterSpec), { minLength: 3, maxLength: 4 }),
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
          for (const filters of given.map((one) => filtersOf(one, model)))
            rowsSeen += await expectModel(core, book.reader, model, { filters, limit });
          const { differences } = await store.read(book.tenantId, (tx) => verifyAging(tx, book.tenantId));
          expect(differences).toBe(0);
        }
      }),
      { numRuns: RUNS, examples: fc.sample(fc.tuple(...drawn), { seed: SEED, numRuns: 3 }) },
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
