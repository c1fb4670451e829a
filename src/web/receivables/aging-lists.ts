import type { z } from "zod";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../core/aging/operations/list-customer-aging.ts";
import { CustomerAgingRow, InstallmentAgingRow } from "../../core/aging/schema.ts";
import { type Html, html, type Inserted } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { countCell, NOTHING, shownDay } from "../lists/figures.ts";
import type { FilterWords } from "../lists/filters.ts";
import type { ListPage } from "../lists/list-pages.ts";
import { amountColumn, type Column, countColumn, overdueColumn, table } from "../lists/table.ts";
import { INVOICE_OF } from "./invoice-list.ts";
import { BUCKET_WORDS, collectibleInWords, VALUE_WORDS } from "./terms.ts";

type CustomerRow = z.output<typeof CustomerAgingRow>;
type DebtRow = z.output<typeof InstallmentAgingRow>;
type Amounts = Pick<CustomerRow, "currency" | "outstanding" | "overdue" | keyof typeof BUCKET_WORDS>;

/** The customer of an aging row, linked to their page. */
export function debtorLink(
  {
    customer_key: key,
    customer_name: name,
    customer_number: number,
  }: Pick<CustomerRow, "customer_key" | "customer_name" | "customer_number">,
  { address }: WorkspaceVisit,
): Inserted {
  return [
    html`<a href="${address(`/customers/${key}`)}">${name === "" ? "Without a name" : name}</a>`,
    number !== null && html` <span class="quiet">${number}</span>`,
  ];
}

const BUCKETS = ["current", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const;

/** A row's amounts: outstanding, overdue, and each bucket. */
export const AMOUNTS: readonly Column<Amounts>[] = [
  amountColumn("Outstanding", "outstanding"),
  { ...overdueColumn("Overdue", "overdue"), isBare: true },
  ...BUCKETS.map((bucket) => ({ ...amountColumn(BUCKET_WORDS[bucket], bucket), isBare: true as const })),
];

/** Totals of a report, by currency, each linked to its rows at `path`. */
export function agingTotals(totals: readonly Amounts[], path: string, visit: WorkspaceVisit): Html | null {
  if (totals.length === 0) return null;
  const currency: Column<Amounts> = {
    head: "Totals",
    cell: (row) => html`<a href="${visit.address(path, { currency: row.currency })}">${row.currency}</a>`,
  };
  return table({ caption: "Totals", columns: [currency, ...AMOUNTS], rows: totals, visit, look: "totals aged" });
}

const LABELS = {
  search: "Customer name or number",
  bucket: "Days overdue",
  due_to: "Due until",
  not_collectible_reason: "Not collectible because",
  expected_from: "Payment expected from",
  expected_to: "Payment expected until",
};
const VALUES = {
  ...VALUE_WORDS,
  overdue_desc: "Most overdue",
  outstanding_desc: "Most outstanding",
  customer_asc: "By name",
  days_late_desc: "Slowest payers",
};
const FILTERS: FilterWords = { first: ["search", "bucket", "currency", "sort"], labels: LABELS, values: VALUES };

/** How late a customer pays, in words; empty for a row without payment history. */
export function lateness(days: number | null | undefined): Inserted {
  if (days === null || days === undefined) return NOTHING;
  if (days === 0) return html`<span class="late">On the day</span>`;
  const words = `${Math.abs(days)} ${Math.abs(days) === 1 ? "day" : "days"}`;
  return html`<span class="late">${words} ${days < 0 ? "early" : "late"}</span>`;
}

/** `/customers`: who owes, and for how long. */
export const CUSTOMER_LIST: ListPage<CustomerRow, z.output<typeof listCustomerAging.output>> = {
  path: "/customers",
  title: "Customers",
  one: "row",
  many: "customers",
  intro: "Who owes, how much and for how long; one row for each customer and currency.",
  operation: listCustomerAging,
  row: CustomerAgingRow,
  always: { include: "payment_history" },
  look: "aged",
  filters: FILTERS,
  columns: [
    { head: "Customer", cell: debtorLink },
    countColumn("Invoices", "invoice_count"),
    { head: "Pays", cell: (row) => lateness(row.median_days_late) },
    ...AMOUNTS,
  ],
  totals: ({ totals }, visit) => agingTotals(totals, "/customers", visit),
  dated: ({ totals }) => totals,
  chip: (_name, row) => row.customer_name,
  empty: nothingOwed,
};

const COLLECTIBLE: Column<DebtRow> = {
  head: "Collectible",
  cell: collectibleInWords,
};

function debtColumns(customer: readonly Column<DebtRow>[], collectible = [COLLECTIBLE]): readonly Column<DebtRow>[] {
  return [
    INVOICE_OF,
    {
      head: "Installment",
      cell: (row) =>
        row.sequence_number === null
          ? NOTHING
          : html`${row.sequence_number} <span class="quiet">of ${row.invoice_installment_count}</span>`,
    },
    ...customer,
    { head: "Due", cell: (row) => shownDay(row.due_date) },
    {
      head: "Days overdue",
      kind: "number",
      cell: ({ days_overdue: days }) => (days === null || days <= 0 ? NOTHING : countCell(days)),
    },
    ...collectible,
    amountColumn("Outstanding", "amount"),
  ];
}

/** The columns of a customer's debts. */
export const DEBTS_OF_CUSTOMER = debtColumns([]);
/** The same for the customer's eyes: whether the service collects it is not their business. */
export const DEBTS_OF_STATEMENT = debtColumns([], []);

/** `/installments`: the debts behind the aging. */
export const DEBT_LIST: ListPage<DebtRow, z.output<typeof listAgingInstallments.output>> = {
  path: "/installments",
  title: "Installments",
  beside: "/invoices",
  one: "installment",
  many: "installments",
  intro: "What is owed and dated, by due date: the rows behind the aging.",
  operation: listAgingInstallments,
  row: InstallmentAgingRow,
  filters: { ...FILTERS, first: ["search", "bucket", "currency", "due_from", "due_to"], without: ["sort"] },
  columns: debtColumns([{ head: "Customer", cell: debtorLink }]),
  totals: ({ totals }, visit) => agingTotals(totals, "/installments", visit),
  dated: ({ totals }) => totals,
  chip: (_name, row) => row.customer_name,
  empty: nothingOwed,
};

function nothingOwed(visit: WorkspaceVisit): readonly [string, Html] {
  return ["Nothing that is dated is owed.", visit.link("/invoices", "See all invoices")];
}
