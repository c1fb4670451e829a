import type { AgingInput } from "../../../src/core/aging/list-parameters.ts";
import type { InvoiceRow } from "../../../src/store/tables/invoices.ts";
import { businessDay, type ModelBook } from "./model-book.ts";
import { reasonsOf, units, written } from "./model-debt.ts";
import { historyOf } from "./model-history.ts";

export type Filters = { [Name in Exclude<keyof AgingInput, "limit" | "cursor">]?: AgingInput[Name] | undefined };

const BUCKETS = ["current", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const;
function customerOf(book: ModelBook, invoice: InvoiceRow) {
  const customer = book.customers.find((one) => one.customer_id === invoice.customer_id);
  const own = book.invoices.filter((one) => one.customer_id !== null && one.customer_id === invoice.customer_id);
  const called = customer?.name && (newestOf(book, invoice).customer_name ?? customer.name);
  const name = customer === undefined ? invoice.customer_name : (called ?? customer.numbers?.split("\n")[0]);
  return {
    customer_key: invoice.customer_id ?? `unassigned:${invoice.invoice_id}`,
    customer_id: invoice.customer_id,
    customer_name: name ?? "Unassigned",
    customer_number: invoice.customer_number,
    searched: (customer === undefined
      ? [name ?? "Unassigned"]
      : [customer.name, ...own.flatMap((one) => [one.customer_name, one.customer_number])]
    ).map((text) => (text ?? "").toLowerCase()),
  };
}

function bucketOf(days: number): (typeof BUCKETS)[number] {
  if (days <= 0) return "current";
  if (days <= 30) return "days_1_30";
  if (days <= 60) return "days_31_60";
  return days <= 90 ? "days_61_90" : "over_90";
}

/** The installments of an invoice that were not removed, and what counts of it. */
function debtsOf(book: ModelBook, invoice: InvoiceRow) {
  const parts = book.installments.filter((part) => part.invoice_id === invoice.invoice_id);
  const kept = parts.filter((part) => part.removed_at === null);
  const alone = {
    installment_id: null,
    sequence_number: null,
    due_date: invoice.due_date,
    collection_outstanding: invoice.collection_outstanding,
    collectible: false,
    not_collectible_reason: invoice.not_collectible_reason,
    closed: false,
  };
  const debts = (invoice.has_installments ? kept : [alone]).filter(
    (part) => !part.closed && part.due_date !== null && units(part.collection_outstanding) > 0n,
  );
  return { kept, debts };
}

function rowsOf(book: ModelBook, invoice: InvoiceRow) {
  const { kept, debts } = debtsOf(book, invoice);
  return debts.map((part) => {
    const { searched, ...customer } = customerOf(book, invoice);
    const currency = invoice.currency ?? "UNKNOWN";
    const days = Math.round((Date.parse(businessDay(book)) - Date.parse(part.due_date ?? "")) / 86_400_000);
    const wire = {
      ...customer,
      invoice_id: invoice.invoice_id,
      invoice_number: invoice.invoice_number ?? "",
      installment_id: part.installment_id,
      sequence_number: part.sequence_number,
      invoice_installment_count: kept.length,
      amount: written(units(part.collection_outstanding), currency),
      outstanding: written(units(part.collection_outstanding), currency),
      available_amount: written(part.installment_id === null ? 0n : units(part.collection_outstanding), currency),
      currency,
      due_date: part.due_date,
      days_overdue: days,
      bucket: bucketOf(days),
      collectible: part.collectible,
      not_collectible_reason: part.not_collectible_reason,
      not_collectible_reasons: reasonsOf(invoice, part),
      as_of: invoice.connection_id === book.read.connection_id ? book.read.last_successful_sync_at : null,
    };
    return { wire, searched, units: units(part.collection_outstanding), invoice };
  });
}

export type Row = ReturnType<typeof rowsOf>[number];

export const dayNumber = (day: string): number => Date.parse(day) / 86_400_000;

/** When a debt would be paid as usual, in days; null of a customer with fewer than three payments. */
function usualDay(book: ModelBook, { wire }: Row): number | null {
  const { paid_installments, median_days_late } = historyOf(book, wire.customer_key);
  return paid_installments < 3 ? null : dayNumber(wire.due_date ?? "") + Math.floor((median_days_late ?? 0) + 0.5);
}

export function expectedDate(book: ModelBook, row: Row): string | null {
  const day = usualDay(book, row);
  if (day === null || isPastExpected(book, row) || day > dayNumber("9999-12-31")) return null;
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

const isPastExpected = (book: ModelBook, row: Row): boolean =>
  (usualDay(book, row) ?? Infinity) < dayNumber(businessDay(book));

function isExpected(book: ModelBook, row: Row, { expected_from, expected_to }: Filters): boolean {
  if (expected_from === undefined && expected_to === undefined) return true;
  const expected = expectedDate(book, row);
  return expected !== null && expected >= (expected_from ?? "") && expected <= (expected_to ?? "~");
}

function matches({ wire, searched, invoice }: Row, filters: Filters): boolean {
  const { currency, search, customer_key, connection_id, bucket, overdue_only } = filters;
  const { due_from = "", due_to = "~", collectible, not_collectible_reason } = filters;
  const due = wire.due_date ?? "";
  return (
    (currency === undefined || wire.currency === currency) &&
    (search === undefined || searched.some((text) => text.includes(search.toLowerCase()))) &&
    (customer_key === undefined || wire.customer_key === customer_key) &&
    (connection_id === undefined || invoice.connection_id === connection_id) &&
    (bucket === undefined || wire.bucket === bucket) &&
    (overdue_only !== true || wire.days_overdue > 0) &&
    due >= due_from &&
    due <= due_to &&
    (collectible === undefined || wire.collectible === collectible) &&
    (not_collectible_reason === undefined || wire.not_collectible_reason === not_collectible_reason)
  );
}

export function amounts(rows: readonly Row[], currency: string, book: ModelBook | null) {
  const total = (which: (row: Row) => boolean): string =>
    written(
      rows.filter(which).reduce((sum, row) => sum + row.units, 0n),
      currency,
    );
  return {
    currency,
    outstanding: total(() => true),
    overdue: total(({ wire }) => wire.days_overdue > 0),
    current: total(({ wire }) => wire.bucket === "current"),
    days_1_30: total(({ wire }) => wire.bucket === "days_1_30"),
    days_31_60: total(({ wire }) => wire.bucket === "days_31_60"),
    days_61_90: total(({ wire }) => wire.bucket === "days_61_90"),
    over_90: total(({ wire }) => wire.bucket === "over_90"),
    as_of: rows.some(({ wire }) => wire.as_of === null) ? null : (rows[0]?.wire.as_of ?? null),
    ...(book === null ? {} : { past_expected: total((row) => isPastExpected(book, row)) }),
  };
}

export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
export const descending = (a: string, b: string): number => (units(b) > units(a) ? 1 : units(b) < units(a) ? -1 : 0);

export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  return [...Map.groupBy(items, keyOf).values()];
}

/** The newest invoice with a debt of an invoice's customer in its currency. */
function newestOf(book: ModelBook, invoice: InvoiceRow): InvoiceRow {
  const { customer_id, currency } = invoice;
  const owing = book.invoices
    .filter((one) => customer_id !== null && one.customer_id === customer_id && one.currency === currency)
    .filter((one) => one.retired_at === null && debtsOf(book, one).debts.length > 0);
  const newestLast = owing.toSorted(
    (a, b) =>
      byBytes(a.created_at, b.created_at) ||
      byBytes(a.invoice_date ?? "", b.invoice_date ?? "") ||
      Number(BigInt(a.erp_invoice_id ?? -1) - BigInt(b.erp_invoice_id ?? -1)) ||
      byBytes(a.invoice_id, b.invoice_id),
  );
  return newestLast.at(-1) ?? invoice;
}

export const matching = (book: ModelBook, filters: Filters): Row[] =>
  book.invoices
    .filter((invoice) => invoice.retired_at === null)
    .flatMap((invoice) => rowsOf(book, invoice))
    .filter((row) => matches(row, filters) && isExpected(book, row, filters));

/** What the three operations have to answer, pages aside. */
export function modelReport(book: ModelBook, filters: Filters) {
  const live = book.invoices.filter((invoice) => invoice.retired_at === null);
  const rows = matching(book, filters);
  const shows = filters.include === "payment_history";
  const customers = grouped(rows, ({ wire }) => `${wire.currency} ${wire.customer_key}`).flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { customer_key, customer_id, customer_name, currency } = first.wire;
    const { customer_number } = newestOf(book, first.invoice);
    return {
      ...{ customer_key, customer_id, customer_name, customer_number },
      ...amounts(own, currency, shows ? book : null),
      invoice_count: new Set(own.map(({ wire }) => wire.invoice_id)).size,
      installment_count: own.length,
      max_days_overdue: Math.max(0, ...own.map(({ wire }) => wire.days_overdue)) || null,
      ...(shows ? historyOf(book, customer_key) : {}),
    };
  });
  const sort = filters.sort ?? "overdue_desc";
  const lateness = ({ customer_key }: { customer_key: string }): number => {
    const { paid_installments, average_days_late } = historyOf(book, customer_key);
    return paid_installments < 3 ? -Infinity : (average_days_late ?? 0);
  };
  const byLateness = (a: { customer_key: string }, b: { customer_key: string }): number =>
    lateness(a) === lateness(b) ? byBytes(a.customer_key, b.customer_key) : lateness(b) - lateness(a);
  customers.sort(
    (a, b) =>
      (sort === "days_late_desc" ? byLateness(a, b) : 0) ||
      byBytes(a.currency, b.currency) ||
      (sort === "overdue_desc" ? descending(a.overdue, b.overdue) : 0) ||
      (sort === "customer_asc" ? byBytes(a.customer_name.toLowerCase(), b.customer_name.toLowerCase()) : 0) ||
      (sort === "customer_asc" ? 0 : descending(a.outstanding, b.outstanding)) ||
      (sort === "customer_asc" ? 0 : descending(a.overdue, b.overdue)) ||
      byBytes(a.customer_key, b.customer_key),
  );
  rows.sort(
    ({ wire: a }, { wire: b }) =>
      byBytes(a.due_date ?? "", b.due_date ?? "") ||
      byBytes(a.invoice_id, b.invoice_id) ||
      (a.sequence_number ?? Infinity) - (b.sequence_number ?? Infinity) ||
      byBytes(a.installment_id ?? "", b.installment_id ?? ""),
  );
  const updates = book.invoices.map((invoice) => invoice.updated_at).sort();
  return {
    envelope: {
      report_date: businessDay(book),
      timezone: book.timezone,
      generated_at: book.now,
      balance_basis: "finero_reconciled_current",
      currencies: [...new Set(live.map((invoice) => invoice.currency ?? "UNKNOWN"))].sort(byBytes),
      data_updated_at: updates.at(-1) ?? null,
      totals: grouped(rows, ({ wire }) => wire.currency)
        .map((own) => amounts(own, own[0]?.wire.currency ?? "", shows ? book : null))
        .sort((a, b) => byBytes(a.currency, b.currency)),
    },
    customers,
    installments: rows.map((row) => {
      if (!shows) return row.wire;
      const { paid_installments } = historyOf(book, row.wire.customer_key);
      const [expected_date, past_expected] = [expectedDate(book, row), isPastExpected(book, row)];
      return { ...row.wire, paid_installments, expected_date, past_expected };
    }),
  };
}
