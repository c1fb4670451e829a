import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import type { InvoiceRow } from "../../../src/store/tables/invoices.ts";
import { type Book, connectionRow, customerRow, invoiceRow, openBook } from "../../support/book.ts";
import { testCore } from "../../support/core.ts";
import { walk } from "../../support/lists.ts";
import type { TestStore } from "../../support/stores.ts";
import { A_STORE } from "../../support/thorough.ts";

/** Few values of each kind, so that rows share them, filters meet them and creation times collide. */
const INSTANTS = ["2026-03-01T00:00:00.000Z", "2026-03-01T00:00:00.001Z", "2026-03-02T12:00:00.000Z"];
const DATES = ["2026-02-28", "2026-03-01", "2026-03-02"];
const NUMBERS = ["INV-1", "inv-1", "INV-1 "];
const CURRENCIES = ["USD", "EUR", "JPY"];
const PUSH_STATES = ["pending", "processing", "posted", "applied", "failed", "reversed"] as const;

const instant = fc.constantFrom(...INSTANTS);
const date = fc.constantFrom(...DATES);
const number = fc.constantFrom(...NUMBERS);
const currency = fc.constantFrom(...CURRENCIES);
const status = fc.constantFrom("paid", "open", "inactive");
const which = fc.constantFrom(0, 1);

const invoice = fc.record({
  created_at: instant,
  updated_at: instant,
  collection_due_date: fc.option(date),
  invoice_number: fc.option(number),
  currency: fc.option(currency),
  collection_status: status,
  erp_push_state: fc.option(fc.constantFrom(...PUSH_STATES)),
  has_held_payment: fc.boolean(),
  has_active_payment_link: fc.boolean(),
  customer: fc.option(which),
  connection: fc.option(which),
});

/** Left out three times of four: with every filter at once nothing would ever match. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const filters = fc.record({
  collection_status: seldom(status),
  currency: seldom(currency),
  invoice_number: seldom(number),
  connection: seldom(which),
  updated_since: seldom(instant),
  customer: seldom(which),
  erp_push_state: seldom(fc.constantFrom("held", ...PUSH_STATES)),
  has_active_payment_link: seldom(fc.boolean()),
  due_before: seldom(date),
  due_after: seldom(date),
});

const query = fc.record({
  filters,
  order: fc.constantFrom("asc", "desc"),
  limits: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
});

type Shape = typeof invoice extends fc.Arbitrary<infer I> ? I : never;
type Drawn = typeof filters extends fc.Arbitrary<infer F> ? F : never;
type Query = Omit<Drawn, "connection" | "customer"> & { connection_id?: string; customer_id?: string };

/** What the filters of service.md §4.4 say, one row at a time. */
function matches(row: InvoiceRow, asked: Query): boolean {
  const { erp_push_state: push, due_before: before, due_after: after, updated_since: since } = asked;
  const due = row.collection_due_date;
  const same = (name: keyof Query & keyof InvoiceRow): boolean =>
    asked[name] === undefined || Object.is(row[name], asked[name]);
  return (
    same("collection_status") &&
    same("currency") &&
    same("invoice_number") &&
    same("connection_id") &&
    same("customer_id") &&
    same("has_active_payment_link") &&
    (push === undefined || (push === "held" ? row.has_held_payment : row.erp_push_state === push)) &&
    (since === undefined || row.updated_at >= since) &&
    (before === undefined || (due !== null && due <= before)) &&
    (after === undefined || (due !== null && due >= after))
  );
}

function expectedIds(rows: readonly InvoiceRow[], asked: Query, order: string): string[] {
  const place = (row: InvoiceRow): string => `${row.created_at} ${row.invoice_id}`;
  const sorted = rows.filter((row) => matches(row, asked)).sort((a, b) => (place(a) < place(b) ? -1 : 1));
  return (order === "asc" ? sorted : sorted.reverse()).map((row) => row.invoice_id);
}

describe.each(A_STORE)("filters of listInvoices on $name", ({ open }) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.remove());

  /** A workspace of its own beside those of earlier runs, with two connections and two customers. */
  async function bookOf(shapes: readonly Shape[]) {
    const book: Book = await openBook(opened.store);
    const connections = [0, 1].map(() => connectionRow(book.tenantId));
    const customers = [0, 1].map(() => customerRow(book.tenantId, book.connectionId));
    const ids = {
      connection: (index: number) => connections[index]?.connection_id ?? "",
      customer: (index: number) => customers[index]?.customer_id ?? "",
    };
    const invoices = shapes.map(({ customer, connection, ...row }) =>
      invoiceRow(book.tenantId, {
        invoice_id: randomUUID(),
        connection_id: connection === null ? null : ids.connection(connection),
        customer_id: customer === null ? null : ids.customer(customer),
        ...row,
      }),
    );
    await book.insert({ erp_connections: connections, customers, invoices });
    return { book, invoices, ids };
  }

  it("any combination returns what a look at every row returns, each once and in order [service.4.4.filters] [service.2.7.pagination]", async () => {
    const core = testCore(opened.store);
    const shapes = fc.array(invoice, { maxLength: 60, size: "max" });
    const queries = fc.array(query, { minLength: 12, maxLength: 12, size: "max" });
    await fc.assert(
      fc.asyncProperty(shapes, queries, async (rows, asked) => {
        const { book, invoices, ids } = await bookOf(rows);
        for (const { filters: given, order, limits } of asked) {
          const { connection, customer, ...plain } = given;
          const filter: Query = {
            ...plain,
            ...(connection === undefined ? {} : { connection_id: ids.connection(connection) }),
            ...(customer === undefined ? {} : { customer_id: ids.customer(customer) }),
          };
          const expected = expectedIds(invoices, filter, order);
          const input = { ...filter, order, include_total: true };
          const walked = await walk(core, listInvoices, book.reader, input, limits);
          expect(walked.ids).toEqual(expected);
          for (const [index, page] of walked.pages.entries()) {
            expect(page.total_count).toBe(expected.length);
            expect(page.has_more).toBe(index < walked.pages.length - 1);
            expect(page.limit).toBe(limits[index % limits.length]);
          }
        }
      }),
      { numRuns: 20, interruptAfterTimeLimit: 20_000 },
    );
  });
});
