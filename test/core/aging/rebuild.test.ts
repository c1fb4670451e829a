import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { rebuildInSlices } from "../../../src/core/aging/rebuild-in-slices.ts";
import { addDays } from "../../../src/core/kernel/calendar.ts";
import type { BookPart } from "../../../src/store/aging/book-parts.ts";
import { fillRollup } from "../../../src/store/aging/build.ts";
import { findWrongCustomers, findWrongInvoices } from "../../../src/store/aging/find-wrong.ts";
import { ROLLUP_TABLES, stampInvoices, touchInvoices } from "../../../src/store/aging/rollup.ts";
import { verifyAging } from "../../../src/store/aging/verify.ts";
import type { Tables } from "../../../src/store/tables/index.ts";
import { insertRows, installmentRow, invoiceRow, openBook } from "../../support/book.ts";
import { testCore } from "../../support/core.ts";
import { rowsOf } from "../../support/stored.ts";
import { STORES } from "../../support/stores.ts";
import { type Desk, desks } from "./support.ts";

/** Rows that have other figures than they should. */
const WRONG = [
  "update aging_debts set amount = amount + 11 where due_date < '2026-03-01'",
  "update aging_debts set customer_id = null where due_date = '2026-03-07'",
  "update aging_closings set days_late = days_late + 3",
  "update aging_customers set amount_1 = amount_1 + 9, past_1 = past_1 + 3, debts_2 = debts_2 + 1, digest_3 = 5, history = 7",
  "update aging_customers set customer_name = 'Somebody else', identity = 3 where currency = 'EUR'",
  "update aging_totals set amount_4 = -1, past_3 = 8, customers_0 = 40",
  "update aging_days set debts = debts + 1, digest = 9",
  "update invoice_figures set overdue_outstanding = 1 where currency = 'EUR'",
  "update invoice_totals set invoice_count = invoice_count + 2",
];
/** Rows that are gone, or nobody's. */
const MISSING = [
  "delete from aging_debts where due_date = '2026-03-05'",
  "delete from aging_closings where closed_on < '2024-05-15'",
  "delete from aging_customers where currency = 'USD' and customer_id is not null",
  "update aging_customers set customer_key = overlay(customer_key placing '0000' from 12) where customer_id is null",
  "delete from aging_totals where currency = 'USD'",
  "delete from aging_days where due_date > '2026-03-08'",
  "delete from invoice_figures where currency = 'USD'",
];

const verify = ({ book, opened }: Desk) => opened.store.read(book.tenantId, (tx) => verifyAging(tx, book.tenantId));

async function fill({ book }: Desk, invoices: number): Promise<void> {
  for (let n = 0; n < invoices; n += 1) {
    const customer = n % 3 === 0 ? await book.customer() : null;
    const currency = n % 2 === 0 ? "EUR" : "USD";
    const parts = Array.from({ length: 12 }, (_, index) => ({ due_date: addDays("2026-03-12", -index * 5 - (n % 4)) }));
    const of = customer === null ? { customer_name: `Nobody's ${n}` } : { customer };
    await book.invoice({ ...of, currency }, parts);
    const paid = parts.map(({ due_date }, index) => ({
      ...{ erp_outstanding: "0", closed: true, due_date },
      closed_on: addDays("2024-05-20", -index),
    }));
    await book.invoice({ ...of, currency }, paid);
  }
}

describe.each(STORES)("a roll-up that is rebuilt on $name", ({ name, open }) => {
  const desk = desks(open);

  const harm = async (statements: readonly string[]): Promise<void> => {
    const { book, opened } = desk();
    await opened.store.write(book.tenantId, async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
    });
  };

  it("is exact again after any harm [facts.store.rollup-rebuild]", { timeout: 120_000 }, async () => {
    await fill(desk(), 8);
    await desk().summary();
    await harm([...WRONG, ...MISSING]);
    expect((await verify(desk())).differences).toBeGreaterThan(40);
    const { opened, clock, book } = desk();
    await rebuildInSlices(testCore(opened.store, clock), book.tenantId, undefined);
    expect(await verify(desk())).toMatchObject({ as_of: "2026-03-10", differences: 0 });
  });

  it("of another version is built again before it is read, and is that version's no more once this one writes [facts.store.rollup-version]", async () => {
    const { book, opened, clock, summary } = desk();
    const { tenantId } = book;
    const days = { due_from: "2026-03-01", due_to: "2026-03-09" };
    await fill(desk(), 2);
    const { totals } = await summary(days);
    expect(totals).toHaveLength(2);
    /** What a process of the next version leaves: its own roll-up, here without the sums that this one filters by. */
    const asOfNext = (...statements: string[]) => harm(["update aging_state set version = version + 1", ...statements]);
    const state = async () => (await rowsOf(opened.store, tenantId, "aging_state"))[0];

    await asOfNext("update aging_days set amount = 7, debts = 1, digest = 1");
    expect(await summary(days)).toMatchObject({ totals });
    expect(await verify(desk())).toMatchObject({ as_of: "2026-03-10", differences: 0 });

    await asOfNext("delete from aging_days");
    await rebuildInSlices(testCore(opened.store, clock), tenantId, undefined);
    expect(await verify(desk())).toMatchObject({ as_of: "2026-03-10", differences: 0 });

    for (const write of [
      () => book.invoice({ due_date: "2026-03-09", collection_outstanding: "5" }),
      () => opened.store.write(tenantId, async (tx) => stampInvoices(tx, [randomUUID()], "2026-03-10T12:00:00.000Z")),
    ]) {
      await asOfNext();
      expect(await state()).toMatchObject({ as_of: "2026-03-10" });
      await write();
      expect(await state()).toMatchObject({ as_of: null });
      await summary(days);
    }
    expect(await verify(desk())).toMatchObject({ as_of: "2026-03-10", differences: 0 });
  });

  it("is exact where the book is gone through in small parts [facts.store.rollup-rebuild]", {
    timeout: 120_000,
  }, async () => {
    await fill(desk(), 8);
    await desk().summary();
    const { opened, book } = desk();
    const { tenantId } = book;
    await opened.store.write(tenantId, async (tx) => {
      for (const table of ROLLUP_TABLES) await sql`delete from ${sql.table(table)}`.execute(tx);
      await fillRollup(tx, tenantId, "2026-03-10", 3);
    });
    expect(await verify(desk())).toMatchObject({ differences: 0 });
    await harm([...WRONG, ...MISSING]);
    const wrongIn = async (find: typeof findWrongInvoices, size: number): Promise<string[]> => {
      const all: string[] = [];
      let after: string | null = null;
      do {
        const part: BookPart = { after, size };
        const { wrong, last } = await opened.store.read(tenantId, (tx) => find(tx, tenantId, part));
        all.push(...wrong);
        after = last;
      } while (after !== null);
      return all.sort();
    };
    for (const find of [findWrongInvoices, findWrongCustomers]) {
      const whole = await wrongIn(find, 1_000);
      expect(whole.length).toBeGreaterThan(2);
      expect(await wrongIn(find, 2)).toEqual(whole);
    }
  });

  it("of many customers takes no time by the square [facts.store.rollup-rebuild]", { timeout: 120_000 }, async () => {
    const { opened, book } = desk();
    await book.invoice({}, [{ due_date: "2026-03-01" }]);
    await desk().summary();
    const analyzed = (tables: readonly (keyof Tables)[]) =>
      opened.store.takeStatistics({ tenantId: book.tenantId, tables, rows: 1_000_000 });
    // Another small book is in the statistics, what is filled is not yet.
    await analyzed(["aging_debts", "aging_customers"]);
    const { tenantId: another } = await openBook(opened.store);
    const invoices = Array.from({ length: 8_000 }, () => invoiceRow(another));
    const installments = invoices.map(({ invoice_id: id }) => installmentRow(another, id, { due_date: "2026-03-01" }));
    await opened.store.write(another, (tx) => insertRows(tx, { invoices, installments }));
    await analyzed(["invoices", "installments"]);
    await opened.store.write(another, async (tx) => {
      await sql`set local statement_timeout = '20s'`.execute(tx);
      await fillRollup(tx, another, "2026-03-10");
    });
  });

  it("stays exact under writers that go on meanwhile [facts.store.rollup-rebuild]", { timeout: 120_000 }, async () => {
    await fill(desk(), 24);
    await desk().summary();
    // Of rows that are there: a writer that finds none of a customer begins a new one.
    await harm(WRONG);
    const { opened, clock, book } = desk();
    const { tenantId, connectionId } = book;
    let isOver = false;
    const writer = async (own: number): Promise<number> => {
      let rounds = 0;
      for (; !isOver; rounds += 1) {
        const invoice = invoiceRow(tenantId, { connection_id: connectionId, has_installments: true });
        const parts = ["2026-03-09", "2026-02-08"].map((due_date) =>
          installmentRow(tenantId, invoice.invoice_id, { due_date, sequence_number: own }),
        );
        await opened.store.write(tenantId, (tx) => insertRows(tx, { invoices: [invoice], installments: parts }));
        await opened.store.write(tenantId, async (tx) => {
          // In one order, so that the two writers never wait for one another.
          await sql`select from installments where tenant_id = ${tenantId} order by installment_id for update`.execute(
            tx,
          );
          await sql`update installments set collection_outstanding = collection_outstanding - 1
            where tenant_id = ${tenantId} and due_date < '2026-03-05' and collection_outstanding > 2`.execute(tx);
          const { rows } = await sql<{ invoice_id: string }>`select distinct invoice_id from installments
            where tenant_id = ${tenantId} and due_date < '2026-03-05'`.execute(tx);
          touchInvoices(
            tx,
            rows.map((row) => row.invoice_id),
          );
        });
      }
      return rounds;
    };
    const rebuilding = rebuildInSlices(testCore(opened.store, clock), tenantId, undefined).finally(() => {
      isOver = true;
    });
    const rounds = await Promise.all([writer(1), ...(name === "the embedded store" ? [] : [writer(2)])]);
    await rebuilding;
    expect(Math.min(...rounds)).toBeGreaterThan(1);
    expect(await verify(desk())).toMatchObject({ differences: 0 });
  });
});
