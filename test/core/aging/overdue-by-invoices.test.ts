import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { ApiKeyActor } from "../../../src/core/gate/actor.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { call } from "../../support/lists.ts";
import { storesOf } from "../../support/stores.ts";
import { times } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";
import { bookSpec, eventSpec, happen, makeBook } from "./books.ts";
import { modelReport } from "./model.ts";

const RUNS = times(6, 60);

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

describe.each(storesOf(import.meta.url))("what is overdue by invoices and by aging on $name", ({ open }) => {
  const opened = useStore(open);

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
});
