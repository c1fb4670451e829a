import type { z } from "zod";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../core/aging/operations/list-customer-aging.ts";
import type { CustomerAgingRow, InstallmentAgingRow } from "../../core/aging/schema.ts";
import { counted } from "../../core/kernel/counted.ts";
import { money } from "../../core/kernel/money.ts";
import { FEWEST_PAYMENTS } from "../../store/aging/payment-history.ts";
import { aside, BUCKET_WORDS, html, type Inserted, inWords } from "../kit/markup.ts";
import type { Query, WorkspaceVisit } from "../kit/page.ts";
import {
  amountColumn,
  type Column,
  column,
  countCell,
  countColumn,
  type FilterWords,
  overdueColumn,
  pagesOfList,
  shownAmount,
  shownDay,
  type TracedColumn,
} from "../lists/list.ts";
import { INVOICE_OF } from "./invoice-list.ts";
import { collectibleInWords, VALUE_WORDS } from "./terms.ts";

type CustomerRow = z.output<typeof CustomerAgingRow>;
type DebtRow = z.output<typeof InstallmentAgingRow>;
type Amounts = Pick<CustomerRow, "currency" | "outstanding" | "overdue" | keyof typeof BUCKET_WORDS>;

/** The customer of an aging row, linked to their page. */
export const DEBTOR: Column<Pick<CustomerRow, "customer_key" | "customer_name" | "customer_number">> = {
  head: "Customer",
  cell: ({ customer_key: key, customer_name: name, customer_number: number }, visit) => [
    visit.link(`/customers/${key}`, name),
    number !== null && [" ", aside(number)],
  ],
};

const BUCKETS = ["current", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const;

/** A column of amounts of debts, with what selects those. */
const debts = (head: string, name: Exclude<keyof Amounts, "currency">, query: Query, column = amountColumn) => ({
  ...column(head, name),
  selects: (row: Amounts) => (money(row[name]).isZero() ? null : query),
});

/** A row's amounts: outstanding, overdue, and each bucket. */
export const AMOUNTS: readonly TracedColumn<Amounts>[] = [
  { ...debts("Outstanding", "outstanding", {}), isOfMatches: true },
  { ...debts("Overdue", "overdue", { overdue_only: "true" }, overdueColumn), isBare: true, isOfMatches: true },
  ...BUCKETS.map((bucket) => ({ ...debts(BUCKET_WORDS[bucket], bucket, { bucket }), isBare: true as const })),
];

/** What is owed beyond the day on which its customer usually pays; empty where too few payments tell when. */
const PAST_HABIT: TracedColumn<Pick<CustomerRow, "currency" | "past_expected"> & Partial<CustomerRow>> = {
  ...{ head: inWords("past_expected"), kind: "number", isBare: true },
  cell: ({ past_expected: past = null, paid_installments: paid = FEWEST_PAYMENTS, currency }) =>
    paid < FEWEST_PAYMENTS ? null : shownAmount(past, currency),
  selects: ({ past_expected: past }) =>
    past === undefined || money(past).isZero() ? null : { no_expected_date: "past" },
};
const TOTALS = { columns: AMOUNTS, look: "totals aged" };
const FILTERS: FilterWords = {
  first: ["search", "bucket", "currency", "sort"],
  labels: {
    search: "Customer name or number",
    bucket: "Days overdue",
    due_to: "Due until",
    not_collectible_reason: "Not collectible because",
    no_expected_date: "Payment expected",
    expected_from: "Payment expected from",
    expected_to: "Payment expected until",
  },
  values: {
    ...VALUE_WORDS,
    past: "By now, by habit",
    unknown: "Not known",
    overdue_desc: "Most overdue",
    outstanding_desc: "Most outstanding",
    customer_asc: "By name",
    days_late_desc: "Latest payers on average",
  },
};

/** How late a customer pays, in words; null for a row without payment history. */
export function lateness(days: number | null | undefined) {
  if (days === null || days === undefined) return null;
  const words = days === 0 ? "On the day" : `${counted(Math.abs(days), "day")} ${days < 0 ? "early" : "late"}`;
  return html`<span class="late">${words}</span>`;
}

/** `/customers`: who owes, and for how long. */
export const CUSTOMER_LIST = pagesOfList({
  path: "/customers",
  title: "Customers",
  one: "row",
  intro:
    "Who owes, how much and for how long; one row for each customer and currency. How late one pays is an average.",
  operation: listCustomerAging,
  always: { include: "payment_history" },
  look: "aged",
  filters: FILTERS,
  columns: [
    DEBTOR,
    countColumn("Invoices", "invoice_count"),
    { head: "Pays", cell: (row) => lateness(row.average_days_late) },
    ...AMOUNTS,
    PAST_HABIT,
  ],
  totals: { ...TOTALS, columns: [...AMOUNTS, PAST_HABIT], rowsAt: "/installments" },
  dated: ({ totals }) => totals,
  empty: nothingOwed,
});

const DEBT: readonly Column<DebtRow>[] = [
  INVOICE_OF,
  {
    head: "Installment",
    cell: ({ sequence_number: number, invoice_installment_count: count }) =>
      number && [number, " ", aside(`of ${count}`)],
  },
];
/** When a debt is due, and for how long it has been overdue. */
export const DUE: readonly Column<Pick<DebtRow, "due_date" | "days_overdue">>[] = [
  column("Due", "due_date", shownDay),
  {
    head: "Days overdue",
    kind: "number",
    cell: ({ days_overdue: days }) => ((days ?? 0) > 0 ? countCell(days ?? 0) : null),
  },
];
const EXPECTED: Column<DebtRow> = {
  head: "Expected",
  cell: ({ expected_date: date = null, past_expected: isPast }) => (isPast === true ? aside("Past") : shownDay(date)),
};
const COLLECTIBLE: Column<DebtRow> = { head: "Collectible", cell: collectibleInWords };
const OUTSTANDING: Column<DebtRow> = amountColumn("Outstanding", "amount");

/** The columns of a customer's debts. */
export const DEBTS_OF_CUSTOMER = [...DEBT, ...DUE, EXPECTED, COLLECTIBLE, OUTSTANDING];

/** `/installments`: the debts behind the aging. */
export const DEBT_LIST = pagesOfList({
  path: "/installments",
  title: "Installments",
  beside: "/invoices",
  one: "installment",
  intro: "Outstanding installments by due date: the rows behind the aging.",
  operation: listAgingInstallments,
  // It says `outstanding` again.
  unfiled: ["amount"],
  always: { include: "payment_history" },
  filters: { ...FILTERS, first: ["search", "bucket", "currency", "due_from", "due_to"], without: ["sort"] },
  columns: [...DEBT, DEBTOR, ...DUE, EXPECTED, COLLECTIBLE, OUTSTANDING],
  totals: TOTALS,
  dated: ({ totals }) => totals,
  empty: nothingOwed,
});

function nothingOwed(visit: WorkspaceVisit): readonly [string, Inserted] {
  return ["Nothing with a due date is outstanding.", visit.link("/invoices", "See all invoices")];
}
