import { Decimal } from "decimal.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { listAgingInstallments } from "../../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import type { ApiKeyActor } from "../../../src/core/gate/actor.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { call } from "../../support/lists.ts";
import { STORES, type TestStore } from "../../support/stores.ts";
import { times } from "../../support/thorough.ts";
import { bookSpec, eventSpec, filterSpec, filtersOf, happen, makeBook } from "./books.ts";
import { type Filters, modelReport } from "./model.ts";

const RUNS = times(10, 60);
/** Of the books that every run begins with. */
const SEED = 1;

type AgingList = typeof listCustomerAging | typeof listAgingInstallments;

/** All rows of a report, page by page; every page has to tell the same of the whole. */
async function walk(core: Core, list: AgingList, actor: ApiKeyActor, filters: Filters, limit: number) {
  const data: object[] = [];
  const wholes = new Set<string>();
  let cursor: string | null = null;
  do {
    const {
      data: rows,
      pagination,
      ...envelope
    }: z.output<AgingList["output"]> = await call<AgingList["output"]>(core, list, actor, {
      ...filters,
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    expect(rows.length).toBe(pagination.next_cursor === null ? rows.length : limit);
    expect(rows.length > 0 || cursor === null).toBe(true);
    expect(pagination.next_cursor?.length ?? 1).toBeLessThanOrEqual(400);
    wholes.add(JSON.stringify({ envelope, total_count: pagination.total_count }));
    data.push(...rows);
    cursor = pagination.next_cursor;
  } while (cursor !== null);
  expect(wholes.size).toBe(1);
  const whole: { envelope: object; total_count: number } = JSON.parse([...wholes][0] ?? "");
  return { data, ...whole };
}

/** What is overdue by the invoices, of each customer in each currency, none left out; and their totals by currency. */
async function overdueByInvoices(core: Core, actor: ApiKeyActor) {
  const of = new Map<string, Decimal>();
  let cursor: string | null = null;
  let totals: { currency: string; overdue_outstanding: string }[] = [];
  do {
    const page: z.output<typeof listInvoices.output> = await call(core, listInvoices, actor, {
      limit: 7,
      ...(cursor === null ? { include_total: true } : { cursor }),
    });
    for (const { id, customer, currency, overdue_outstanding: overdue } of page.data) {
      const key = `${currency ?? "UNKNOWN"} ${customer.id ?? `unassigned:${id}`}`;
      of.set(key, (of.get(key) ?? new Decimal(0)).plus(overdue));
    }
    totals = page.totals ?? totals;
    cursor = page.pagination.next_cursor;
  } while (cursor !== null);
  const owing = [...of].filter(([, overdue]) => !overdue.isZero());
  return {
    customers: owing.map(([key, overdue]) => `${key} ${overdue.toFixed()}`).sort(),
    currencies: totals.filter((total) => Number(total.overdue_outstanding) !== 0),
  };
}

describe.each(STORES)("aging against a naive model on $name", ({ open }) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.remove());

  it("answers as the model does, page by page, whatever befell the book [service.2.6.totals] [service.2.6.one-revision]", async () => {
    const { store } = opened;
    let rowsSeen = 0;
    const step = fc.record({
      events: fc.array(eventSpec, { maxLength: 4 }),
      filters: filterSpec,
      limit: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(bookSpec, fc.array(step, { minLength: 1, maxLength: 3 }), async (spec, steps) => {
        const { book, model } = await makeBook(store, spec);
        const clock = new TestClock(spec.now);
        const core = testCore(store, clock);
        for (const { events, filters: given, limit } of steps) {
          for (const event of events) await happen(store, book, model, event);
          clock.set(model.now);
          const filters = filtersOf(given, model);
          const expected = modelReport(model, filters);

          const { revision, ...summary } = await call(core, summarizeAging, book.reader, filters);
          expect(summary).toEqual(expected.envelope);
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
      { numRuns: RUNS },
    );
    expect(rowsSeen).toBeGreaterThan(0);
  });

  it("is what the invoices say is overdue, of each customer in each currency, after any history [completions.10.overdue-outstanding]", async () => {
    const { store } = opened;
    const steps = fc.array(fc.array(eventSpec, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
    let overdueSeen = 0;
    await fc.assert(
      fc.asyncProperty(bookSpec, steps, async (spec, given) => {
        const { book, model } = await makeBook(store, spec);
        const clock = new TestClock(spec.now);
        const core = testCore(store, clock);
        for (const events of [[], ...given]) {
          for (const event of events) await happen(store, book, model, event);
          clock.set(model.now);
          const { customers, envelope } = modelReport(model, {});
          const overdue = customers.filter((row) => Number(row.overdue) !== 0);
          const found = await overdueByInvoices(core, book.reader);
          expect(found.customers).toEqual(
            overdue.map((row) => `${row.currency} ${row.customer_key} ${new Decimal(row.overdue).toFixed()}`).sort(),
          );
          expect(found.currencies.map((total) => [total.currency, total.overdue_outstanding])).toEqual(
            envelope.totals
              .filter((total) => Number(total.overdue) !== 0)
              .map((total) => [total.currency, total.overdue]),
          );
          overdueSeen += overdue.length;
        }
      }),
      { numRuns: RUNS },
    );
    expect(overdueSeen).toBeGreaterThan(0);
  });

  it("changes the revision with the rows behind the answer, and only then [service.2.6.revision]", async () => {
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
              rows: modelReport(model, one).installments,
              revision: (await call(core, summarizeAging, book.reader, one)).revision,
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
