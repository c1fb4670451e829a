import type { z } from "zod";
import type { InstallmentRow, InvoiceRow } from "../../store/tables/invoices.ts";
import type { Bucket } from "./buckets.ts";
import type { ReportInput } from "./list-parameters.ts";
import type { AgingSummary, CustomerAgingRow, InstallmentAgingRow } from "./schema.ts";

/** The rows a report is about; `search` is folded (src/core/kernel/text.ts). */
export interface AgingQuery
  extends Omit<ReportInput, "sort" | "limit" | "cursor" | "bucket" | "overdue_only" | "include"> {
  tenantId: string;
  /** The workspace's business day. */
  reportDate: string;
  buckets: readonly Bucket[];
  /** True where rows show how their customers pay (completions §10). */
  history?: boolean | undefined;
}

/** All matching rows of one currency; instants and amounts as the store writes them. */
export interface AgingTotal extends TotalOnWire {
  row_count: number;
  /** How many customers they are of. */
  customer_count: number;
  /** Of the rows' whole content, but not of how old they are; their order has no part in it. */
  digest: string;
}
export type TotalOnWire = z.output<typeof AgingSummary>["totals"][number];

/** The same of a customer. */
export interface CustomerRecord extends z.output<typeof CustomerAgingRow> {
  /** Of the ERP that it is from, if any. */
  connection_id: string | null;
}

/** What says how much can still be asked for a debt, and all that stands against it. */
type DebtFacts = Pick<InvoiceRow, "finalised" | "customer_email" | "currency"> &
  Pick<InstallmentRow, "excluded" | "disputed"> & { is_chargeable: boolean; live_link_amounts: string[] };

type InstallmentOnWire = z.output<typeof InstallmentAgingRow>;
export interface AgingInstallmentRecord
  extends Omit<InstallmentOnWire, "outstanding" | "available_amount" | "bucket" | "not_collectible_reasons"> {
  days_overdue: number;
  facts: DebtFacts;
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
