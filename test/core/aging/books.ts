import fc from "fast-check";
import { addDays } from "../../../src/core/kernel/calendar.ts";
import { searchColumns } from "../../../src/core/kernel/text.ts";
import { touchCustomers, touchInvoices } from "../../../src/store/aging/rollup.ts";
import type { Store } from "../../../src/store/store.ts";
import type { InstallmentRow, InvoiceRow } from "../../../src/store/tables/invoices.ts";
import { type Book, customerRow, installmentRow, invoiceRow, openBook, shownOn } from "../../support/book.ts";
import { rest } from "../../support/rows.ts";
import { decimal, type ModelBook, onlyReadErp, rescaled, setNames } from "./model-book.ts";

/** The day that every book is around. */
export const TODAY = "2026-03-10";
const TIMEZONES = ["UTC", "America/New_York", "Pacific/Apia", "Asia/Kathmandu", "America/St_Johns"];
const NAMES = ["Acme", "ACME", "Ácme Söhne", "100% Pure", "under_score", "back\\slash", "Zed", null];
const NUMBERS = ["1001", "1002", "10%1", null];

/** Reasons not to be collected that aging shows. */
export const REASONS = ["disputed", "no_billing_email", "not_finalised"] as const;

/** Days overdue at the edges of the buckets. */
export const EDGES = [-1, 0, 1, 2, 30, 31, 60, 61, 90, 91];

const amount = fc
  .tuple(fc.integer({ min: -2_000, max: 90_000 }), fc.integer({ min: 0, max: 4 }))
  .map(([digits, scale]) => decimal(digits, scale));
/** Days overdue: often today and its neighbors, and the edges of the buckets. */
const offset = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(-1, 0, 1) },
  { weight: 2, arbitrary: fc.constantFrom(...EDGES) },
  { weight: 3, arbitrary: fc.integer({ min: -60, max: 400 }) },
);
const dueDate = fc.option(
  offset.map((days) => addDays(TODAY, -days)),
  { freq: 8 },
);
/** The day something was paid: often at the edge of two years. */
const closedOn = fc
  .oneof(fc.constantFrom(-1, 0, 729, 730, 731, 732), fc.integer({ min: 0, max: 760 }))
  .map((days) => addDays(TODAY, -days));
/** True one time in eight. */
const rarely = fc.nat(7).map((n) => n === 0);
const customer = fc.record({ name: fc.constantFrom(...NAMES), number: fc.constantFrom(...NUMBERS) });
const instant = fc
  .integer({ min: -40 * 60, max: 40 * 60 })
  .map((minutes) => new Date(Date.parse(`${TODAY}T12:00:00Z`) + minutes * 60_000).toISOString());

const installment = fc.record({
  collection_outstanding: amount,
  due_date: dueDate,
  closed: rarely,
  removed: rarely,
  reason: fc.option(fc.constantFrom(...REASONS)),
  sequence_number: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 6 }),
});
const paid = fc.record({ closed_on: fc.option(closedOn, { freq: 8 }), late: fc.integer({ min: -9, max: 40 }) });
const invoice = fc.record({
  at: fc.nat(5),
  assigned: fc.boolean(),
  own: customer,
  account: fc.constantFrom(...NUMBERS),
  /** Few instants, so that some of a customer's invoices are of the same. */
  age: fc.nat(2),
  invoice_date: fc.constantFrom("2026-02-01", "2026-02-02", null),
  invoice_number: fc.option(fc.constantFrom("INV-1", "INV-2")),
  currency: fc.constantFrom("USD", "USD", "JPY", "KWD", null),
  retired: rarely,
  finalised: fc.boolean(),
  due_date: dueDate,
  collection_outstanding: amount,
  installments: fc.array(installment, { maxLength: 4 }),
  allRemoved: rarely,
  paid: fc.array(paid, { maxLength: 4 }),
  not_collectible_reason: fc.option(fc.constantFrom(...REASONS)),
});

/** A workspace with a few customers, some of a name, and all that can befall their debts. */
export const bookSpec = fc.noBias(
  fc.record({
    timezone: fc.constantFrom(...TIMEZONES),
    now: instant,
    customers: fc.array(customer, { minLength: 1, maxLength: 5 }),
    invoices: fc.array(invoice, { maxLength: 16, size: "max" }),
  }),
);

/** Something that happens to the book: to the debt, invoice or customer at a place. */
export const eventSpec = fc.record({
  kind: fc.constantFrom(
    ...(["pay", "rescale", "dispute", "close", "remove", "date", "resequence"] as const),
    ...(["retire", "renumber", "finalise", "owe", "rename", "rename-own"] as const),
    ...(["clock", "move", "excuse", "settle", "revise"] as const),
  ),
  at: fc.nat(60),
  amount,
  dueDate,
  closingDay: fc.option(closedOn, { freq: 8 }),
  customer,
  now: instant,
  timezone: fc.constantFrom(...TIMEZONES),
});

type Spec<A> = A extends fc.Arbitrary<infer S> ? S : never;

/** The book of a spec, in arrays and in a workspace of the store. */
export async function makeBook(store: Store, spec: Spec<typeof bookSpec>): Promise<{ book: Book; model: ModelBook }> {
  const book = await openBook(store, { timezone: spec.timezone });
  const { tenantId, connectionId } = book;
  const read = await onlyReadErp(store, tenantId);
  const connectionAt = (place: number): string => (place % 2 === 0 ? connectionId : read.connection_id);
  const customers = spec.customers.map((row, place) => customerRow(tenantId, connectionAt(place), row));
  const invoices: InvoiceRow[] = [];
  const installments: InstallmentRow[] = [];
  for (const [
    index,
    { at, assigned, own, account, age, retired, allRemoved, paid, installments: parts, ...row },
  ] of spec.invoices.entries()) {
    const owner = assigned ? customers[at % customers.length] : undefined;
    const made = invoiceRow(tenantId, {
      ...row,
      connection_id: owner?.connection_id ?? connectionAt(index),
      ...(owner === undefined
        ? { customer_name: own.name }
        : { ...shownOn(owner), customer_name: own.name, customer_number: account }),
      created_at: `2026-03-0${1 + age}T00:00:00.000Z`,
      retired_at: retired ? spec.now : null,
      has_installments: parts.length > 0,
      updated_at: `2026-03-0${1 + (index % 9)}T00:00:00.000Z`,
    });
    invoices.push(made);
    for (const { removed, reason, ...part } of parts) {
      installments.push(
        installmentRow(tenantId, made.invoice_id, {
          ...part,
          removed_at: removed || allRemoved ? spec.now : null,
          not_collectible_reason: reason,
        }),
      );
    }
    for (const { closed_on, late } of parts.length === 0 ? [] : paid) {
      const due_date = closed_on === null ? TODAY : addDays(closed_on, -late);
      const figures = { erp_outstanding: "0", not_collectible_reason: "closed" } as const;
      installments.push(installmentRow(tenantId, made.invoice_id, { ...figures, due_date, closed: true, closed_on }));
    }
  }
  setNames({ customers, invoices });
  await book.insert({ erp_connections: [read], customers, invoices, installments });
  return { book, model: { timezone: spec.timezone, now: spec.now, read, customers, invoices, installments } };
}

type BookEvent = Spec<typeof eventSpec>;

/** Lets an event happen to the arrays and to the store alike. */
export async function happen(store: Store, book: Book, model: ModelBook, event: BookEvent): Promise<void> {
  const { tenantId } = book;
  const part = at(model.installments, event.at);
  const debtor = at(model.invoices, event.at);
  const someone = at(model.customers, event.at);
  if (event.kind === "clock") model.now = event.now;
  if (event.kind === "move") model.timezone = event.timezone;
  if (part !== undefined) Object.assign(part, installmentChange(part, event));
  if (debtor !== undefined) Object.assign(debtor, invoiceChange(debtor, event));
  if (someone !== undefined && event.kind === "rename") someone.name = event.customer.name;
  setNames(model);
  const owner = model.customers.find((one) => one.customer_id === debtor?.customer_id);
  const people = [someone, owner].filter((one) => one !== undefined);

  await store.write(tenantId, async (tx) => {
    if (event.kind === "move")
      await tx.updateTable("tenants").set({ timezone: model.timezone }).where("tenant_id", "=", tenantId).execute();
    if (part !== undefined)
      await tx.updateTable("installments").set(rest(part)).where("installment_id", "=", part.installment_id).execute();
    if (debtor !== undefined)
      await tx.updateTable("invoices").set(rest(debtor)).where("invoice_id", "=", debtor.invoice_id).execute();
    for (const one of people)
      await tx.updateTable("customers").set(rest(one)).where("customer_id", "=", one.customer_id).execute();
    touchInvoices(
      tx,
      [part, debtor].flatMap((row) => row?.invoice_id ?? []),
    );
    touchCustomers(
      tx,
      people.map((one) => one.customer_id),
    );
  });
}

function at<T>(rows: readonly T[], place: number): T | undefined {
  return rows[place % Math.max(1, rows.length)];
}

function installmentChange(
  part: InstallmentRow,
  { kind, amount, dueDate, closingDay }: BookEvent,
): Partial<InstallmentRow> {
  switch (kind) {
    case "pay":
      return { collection_outstanding: amount };
    case "rescale":
      return { collection_outstanding: rescaled(part.collection_outstanding) };
    case "excuse":
      return part.collectible ? {} : { not_collectible_reason: "no_billing_email" };
    case "settle":
      return { closed: true, closed_on: closingDay };
    case "revise":
      return part.closed ? { closed_on: closingDay } : {};
    case "dispute":
      return part.collectible
        ? { disputed: true, collectible: false, not_collectible_reason: "disputed" }
        : { disputed: false, collectible: true, not_collectible_reason: null };
    case "close":
      return { closed: !part.closed };
    case "remove":
      return { removed_at: part.removed_at === null ? "2026-03-10T00:00:00.000Z" : null };
    case "date":
      return { due_date: dueDate };
    case "resequence":
      return { sequence_number: (part.sequence_number ?? 0) + 1, erp_outstanding: amount };
    default:
      return {};
  }
}

function invoiceChange(invoice: InvoiceRow, { kind, amount, dueDate, customer }: BookEvent): Partial<InvoiceRow> {
  switch (kind) {
    case "retire":
      return { retired_at: invoice.retired_at === null ? "2026-03-10T00:00:00.000Z" : null };
    case "renumber":
      return { invoice_number: invoice.invoice_number === "INV-9" ? null : "INV-9" };
    case "finalise":
      return { finalised: !invoice.finalised, collection_status: "inactive", updated_at: "2026-03-10T00:00:00.000Z" };
    case "owe":
      return { collection_outstanding: amount, due_date: dueDate };
    case "excuse":
      return { not_collectible_reason: invoice.not_collectible_reason === null ? "no_billing_email" : null };
    case "rename-own":
      return {
        customer_name: customer.name,
        customer_number: invoice.customer_id === null ? null : customer.number,
        ...searchColumns(customer.name, customer.number, invoice.invoice_number),
      };
    default:
      return {};
  }
}
