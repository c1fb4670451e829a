import type { InstallmentRow, InvoiceRow } from "../../store/tables/invoices.ts";
import type { Bucket } from "./buckets.ts";

/** The rows a report is about. */
export interface AgingQuery {
  tenantId: string;
  /** The workspace's business day. */
  reportDate: string;
  buckets: readonly Bucket[];
  currency?: string | undefined;
  /** Folded (src/core/kernel/text.ts). */
  search?: string | undefined;
  customerKey?: string | undefined;
  connectionId?: string | undefined;
  /** Due days, both ends included. */
  dueFrom?: string | undefined;
  dueTo?: string | undefined;
  collectible?: boolean | undefined;
  /** Why a debt is not collectible (completions §4). */
  reason?: string | undefined;
  /** True where rows show how their customers pay (completions §10). */
  history?: boolean | undefined;
  /** Days on which payment is expected, both ends included; with `history`. */
  expectedFrom?: string | undefined;
  expectedTo?: string | undefined;
}

/** When the ERPs behind a figure were last read, the one read longest ago; an instant as the store writes it, null without an ERP. */
type AsOf = string | null;

/** Exact decimals, as the store holds them. */
export type AgingAmounts = Record<"outstanding" | "overdue" | Bucket, string>;

/** All matching rows of one currency. */
export interface AgingTotal extends AgingAmounts {
  currency: string;
  row_count: number;
  /** How many customers they are of. */
  customer_count: number;
  as_of: AsOf;
  /** Of the rows' whole content, but not of how old they are; their order has no part in it. */
  digest: string;
  /** What should be in by now as customers usually pay; in a query with `history`. */
  past_expected?: string;
}

interface AgingCustomer {
  customer_key: string;
  customer_id: string | null;
  customer_name: string;
  customer_number: string | null;
}

export interface CustomerRecord extends AgingCustomer, AgingAmounts, Partial<PaymentHistory> {
  currency: string;
  /** Of the ERP that it is from, if any. */
  connection_id: string | null;
  as_of: AsOf;
  invoice_count: number;
  installment_count: number;
  /** Of the row's oldest debt; null when nothing of it is overdue. */
  max_days_overdue: number | null;
  /** As in {@link AgingTotal}. */
  past_expected?: string;
}

/** How a customer paid in the last two years, over all currencies; beside rows of a query with `history`. */
interface PaymentHistory {
  paid_installments: number;
  median_days_late: number | null;
  average_days_late: number | null;
  on_time_share: number | null;
}

/** What says how much can still be asked for a debt, and all that stands against it. */
type DebtFacts = Pick<InvoiceRow, "finalised" | "customer_email" | "currency"> &
  Pick<InstallmentRow, "excluded" | "disputed"> & { is_chargeable: boolean; live_link_amounts: string[] };

export interface AgingInstallmentRecord extends AgingCustomer {
  invoice_id: string;
  invoice_number: string;
  installment_id: string | null;
  sequence_number: number | null;
  invoice_installment_count: number;
  amount: string;
  currency: string;
  due_date: string;
  days_overdue: number;
  collectible: boolean;
  not_collectible_reason: InstallmentRow["not_collectible_reason"];
  as_of: AsOf;
  facts: DebtFacts;
  /** These three only in a query with `history`. */
  paid_installments?: number;
  expected_date?: string | null;
  past_expected?: boolean;
}

/** A page to read: `limit` rows from the start, or after a place. */
export interface AgingPage<Place> {
  after: Place | null;
  limit: number;
}

export interface CustomerPlace {
  currency: string;
  customerKey: string;
}

export interface InstallmentPlace {
  invoiceId: string;
  /** Null for an invoice without installments. */
  installmentId: string | null;
}

/** Totals of all matching rows in order of currency, and one page of rows with one row more where there is one. */
export interface AgingList<Row> {
  totals: AgingTotal[];
  rows: Row[];
  /** Rows on all pages. */
  rowCount: number;
}

/** A list of a report that covers no bucket. */
export const NO_ROWS = { totals: [], rows: [], rowCount: 0 };
