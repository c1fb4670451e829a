import { randomUUID } from "node:crypto";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import { formatStored } from "../../../src/core/kernel/money.ts";
import { searchColumns } from "../../../src/core/kernel/text.ts";
import type { InvoiceRow } from "../../../src/store/tables/invoices.ts";
import { type Book, connectionRow, customerRow, invoiceRow, openBook } from "../../support/book.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { call, walk } from "../../support/lists.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";

/** Few values of each kind, so that rows share them, filters meet them and creation times collide. */
const INSTANTS = ["2026-03-01T00:00:00.000Z", "2026-03-01T00:00:00.001Z", "2026-03-02T12:00:00.000Z"];
const DATES = ["2026-02-28", "2026-03-01", "2026-03-02"];
const NUMBERS = ["INV-1", "inv-1", "INV-1 A"];
const CURRENCIES = ["USD", "EUR", "JPY"];
const NAMES = ["Globex", "GLOBEX Ltd", "Initech 1"];
const AMOUNTS = ["0", "0.5", "9.99", "10", "1000000000000.25"];
const SORTS = ["created", "outstanding_desc", "overdue_desc", "due_asc", "invoice_date_desc"] as const;
/** Of every store's clock here; some of {@link DATES} are before it. */
const TODAY = "2026-03-01";
const PUSH_STATES = ["pending", "processing", "posted", "applied", "failed", "reversed"] as const;

const instant = fc.constantFrom(...INSTANTS);
const date = fc.constantFrom(...DATES);
const number = fc.constantFrom(...NUMBERS);
const currency = fc.constantFrom(...CURRENCIES);
const status = fc.constantFrom("paid", "open", "inactive");
const which = fc.constantFrom(0, 1);
const amount = fc.constantFrom(...AMOUNTS);

const invoice = fc.record({
  created_at: instant,
  updated_at: instant,
  collection_due_date: fc.option(date),
  invoice_date: fc.option(date),
  invoice_number: fc.option(number),
  currency: fc.option(currency),
  collection_status: status,
  erp_push_state: fc.option(fc.constantFrom(...PUSH_STATES)),
  has_held_payment: fc.boolean(),
  has_active_payment_link: fc.boolean(),
  customer: fc.option(which),
  connection: fc.option(which),
  customer_name: fc.option(fc.constantFrom(...NAMES)),
  /** Without installments, so that what is due is the invoice's own. */
  due_date: fc.option(date),
  collection_outstanding: amount,
  total_amount: fc.option(amount),
  amount_collected: amount,
  retired_at: fc.option(fc.constant("2026-03-01T00:00:00.000Z"), { freq: 5 }),
});

/** Left out three times of four: with every filter at once nothing would ever match. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const isCrossed = ({ due_after: first = "", due_before: last = "9999-12-31" }) => first > last;

const drawn = fc.record({
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
  overdue: seldom(fc.boolean()),
  search: seldom(fc.constantFrom("globex", "inv-1", "INV", "1", "nothing has it", "GLOBEX ltd")),
  min_outstanding: seldom(amount),
  min_overdue: seldom(amount),
  amount: seldom(amount),
  invoice_date_from: seldom(fc.constant(DATES[1])),
  invoice_date_to: seldom(fc.constant(DATES.at(-1))),
});
const filters = drawn.filter((one) => !isCrossed(one));

const query = fc.record({
  filters,
  order: fc.constantFrom("asc", "desc"),
  sort: fc.constantFrom(...SORTS),
  addsUp: fc.boolean(),
  limits: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
});

type Shape = typeof invoice extends fc.Arbitrary<infer I> ? I : never;
type Drawn = typeof filters extends fc.Arbitrary<infer F> ? F : never;
type Query = Omit<Drawn, "connection" | "customer"> & { connection_id?: string; customer_id?: string };

type Sort = (typeof SORTS)[number];

function overdueOf(row: InvoiceRow): Decimal {
  const isOverdue = row.retired_at === null && row.due_date !== null && row.due_date < TODAY;
  return new Decimal(isOverdue ? row.collection_outstanding : 0);
}

/** What the filters of service.md §4.4 and completions §10 say, one row at a time. */
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
    (asked.overdue === undefined || asked.overdue === overdueOf(row).greaterThan(0)) &&
    (asked.search === undefined || hasText(row, asked.search)) &&
    (asked.min_overdue === undefined || overdueOf(row).gte(asked.min_overdue)) &&
    (asked.amount === undefined || (row.total_amount !== null && new Decimal(row.total_amount).eq(asked.amount))) &&
    (asked.invoice_date_from === undefined || (row.invoice_date ?? "") >= asked.invoice_date_from) &&
    (asked.invoice_date_to === undefined || (row.invoice_date ?? "none") <= asked.invoice_date_to) &&
    (asked.min_outstanding === undefined || new Decimal(row.collection_outstanding).gte(asked.min_outstanding)) &&
    (push === undefined || (push === "held" ? row.has_held_payment : row.erp_push_state === push)) &&
    (since === undefined || row.updated_at >= since) &&
    (before === undefined || (due !== null && due <= before)) &&
    (after === undefined || (due !== null && due >= after))
  );
}

const hasText = (row: InvoiceRow, text: string): boolean =>
  [row.invoice_number, row.customer_name, row.customer_number].some((part) =>
    part?.toLowerCase().includes(text.toLowerCase()),
  );

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byCurrency = (a: InvoiceRow, b: InvoiceRow): number => byText(a.currency ?? "UNKNOWN", b.currency ?? "UNKNOWN");
const byAmount = (of: (row: InvoiceRow) => Decimal) => (a: InvoiceRow, b: InvoiceRow) => of(b).comparedTo(of(a));
const byOutstanding = byAmount((row) => new Decimal(row.collection_outstanding));

const ORDERS: Record<Sort, readonly ((a: InvoiceRow, b: InvoiceRow) => number)[]> = {
  created: [(a, b) => byText(a.created_at, b.created_at)],
  outstanding_desc: [byCurrency, byOutstanding],
  overdue_desc: [byCurrency, byAmount(overdueOf), byOutstanding],
  due_asc: [(a, b) => byText(a.collection_due_date ?? "none", b.collection_due_date ?? "none")],
  invoice_date_desc: [(a, b) => byText(b.invoice_date ?? "", a.invoice_date ?? "")],
};

function expectedRows(rows: readonly InvoiceRow[], asked: Query, sort: Sort, order: string): InvoiceRow[] {
  const orders = [...ORDERS[sort], (a: InvoiceRow, b: InvoiceRow) => byText(a.invoice_id, b.invoice_id)];
  const sorted = rows
    .filter((row) => matches(row, asked))
    .sort((a, b) => orders.map((compare) => compare(a, b)).find((found) => found !== 0) ?? 0);
  return sort === "created" && order === "desc" ? sorted.reverse() : sorted;
}

/** What the rows come to, added up by currency. */
function expectedTotals(rows: readonly InvoiceRow[]): object[] {
  const groups = [...Map.groupBy(rows, (row) => row.currency ?? "UNKNOWN")].sort(([a], [b]) => byText(a, b));
  return groups.map(([currency, of]) => {
    const sum = (amountOf: (row: InvoiceRow) => Decimal.Value): string =>
      formatStored(of.reduce((total, row) => total.plus(amountOf(row)), new Decimal(0)).toFixed(), currency);
    return {
      currency,
      count: of.length,
      total_amount: sum((row) => row.total_amount ?? 0),
      collection_outstanding: sum((row) => row.collection_outstanding),
      overdue_outstanding: sum(overdueOf),
      amount_collected: sum((row) => row.amount_collected),
    };
  });
}

describe.each(A_STORE)("filters of listInvoices on $name", ({ open }) => {
  const { store } = useStore(open);

  /** A workspace of its own beside those of earlier runs, with two connections and two customers. */
  async function bookOf(shapes: readonly Shape[]) {
    const book: Book = await openBook(store);
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
        ...searchColumns(row.customer_name, null, row.invoice_number),
      }),
    );
    await book.insert({ erp_connections: connections, customers, invoices });
    return { book, invoices, ids };
  }

  it("any combination returns what a look at every row returns, each once and in order, and adds it up [service.4.1.order] [service.4.1.include-total] [service.4.4.filters] [service.2.7.pagination] [completions.10.invoices-filters] [completions.10.invoices-sort] [completions.10.totals] [completions.10.invoices-found] [completions.10.limit-per-currency]", async () => {
    const core = testCore(store, new TestClock(`${TODAY}T12:00:00.000Z`));
    const shapes = fc.array(invoice, { maxLength: 60, size: "max" });
    const queries = fc.array(query, { minLength: 12, maxLength: 12, size: "max" });
    await fc.assert(
      fc.asyncProperty(shapes, queries, async (rows, asked) => {
        const { book, invoices, ids } = await bookOf(rows);
        for (const { filters: given, sort, addsUp, order, limits } of asked) {
          const { connection, customer, ...plain } = given;
          const filter: Query = {
            ...plain,
            ...(connection === undefined ? {} : { connection_id: ids.connection(connection) }),
            ...(customer === undefined ? {} : { customer_id: ids.customer(customer) }),
          };
          const expected = expectedRows(invoices, filter, sort, order);
          const input = { ...filter, include_total: addsUp, ...(sort === "created" ? { order } : { sort }) };
          const walked = await walk(core, listInvoices, book.reader, input, limits);
          expect(walked.ids).toEqual(expected.map((row) => row.invoice_id));
          if (sort === "outstanding_desc" || sort === "overdue_desc") {
            const first = await walk(core, listInvoices, book.reader, { ...input, limit_per_currency: 2 }, limits);
            const placeOf = (row: InvoiceRow) => expected.filter((one) => one.currency === row.currency).indexOf(row);
            expect(first.ids).toEqual(expected.filter((row) => placeOf(row) < 2).map((row) => row.invoice_id));
          }
          const { totals } = await call(core, listInvoices, book.reader, input);
          expect(totals).toEqual(addsUp ? expectedTotals(expected) : undefined);
          for (const [index, page] of walked.pages.entries()) {
            expect(page.total_count).toBe(addsUp ? expected.length : undefined);
            expect(page.has_more).toBe(index < walked.pages.length - 1);
            expect(page.limit).toBe(limits[index % limits.length]);
          }
        }
      }),
      { numRuns: 20, interruptAfterTimeLimit: 20_000 },
    );
  });
});
