import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import type { ApiKeyActor } from "../../../src/core/gate/actor.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import { openBook } from "../../support/book.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { call } from "../../support/lists.ts";
import { storesOf } from "../../support/stores.ts";
import { times } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";
import { bookSpec, eventSpec, happen, makeBook } from "./books.ts";
import { modelReport } from "./model.ts";
import { desks } from "./support.ts";

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

describe.each(storesOf(import.meta.url))("what aging counts on $name", ({ open }) => {
  const desk = desks(open);

  it("never adds currencies up, and keeps every digit [service.2.6.totals]", async () => {
    const { book, summary } = desk();
    await book.invoice({ currency: "USD" }, [{ erp_outstanding: "0.1" }, { erp_outstanding: "0.2" }]);
    await book.invoice({ currency: "USD" }, [{ erp_outstanding: "90071992547409930000000000.0001" }]);
    await book.invoice({ currency: "JPY" }, [{ erp_outstanding: "1250.0" }]);
    await book.invoice({ currency: null }, [{ erp_outstanding: "7.50" }]);
    const { totals } = await summary();
    expect(totals.map(({ currency, outstanding }) => [currency, outstanding])).toEqual([
      ["JPY", "1250"],
      ["UNKNOWN", "7.5"],
      ["USD", "90071992547409930000000000.3001"],
    ]);
  });

  it("keeps the workspaces apart [isolation.aging]", async () => {
    const { book, summary, customers, installments } = desk();
    const ours = book;
    const theirs = await openBook(desk().opened.store);
    const customer = await theirs.customer({ name: "Theirs" });
    const { invoice } = await theirs.invoice({ customer, currency: "CHF" }, [{}]);
    const own = await theirs.invoice({ origin: "local", due_date: "2026-03-01", currency: "CHF" });
    await ours.invoice({}, [{}]);
    const reports: z.output<typeof summarizeAging.output>[] = [];
    for (const input of [
      {},
      { currency: "CHF" },
      { search: "theirs" },
      { customer_key: customer.customer_id },
      { customer_key: `unassigned:${own.invoice.invoice_id}` },
    ])
      for (const ask of [summary, customers, installments]) reports.push(await ask(input));
    const told = JSON.stringify(reports);
    for (const secret of [customer.customer_id, invoice.invoice_id, own.invoice.invoice_id, "Theirs", "CHF"])
      expect(told).not.toContain(secret);
    expect(reports.map((report) => report.totals.length)).toEqual([1, 1, 1, ...Array(12).fill(0)]);
  });
});
