import type { Generated, GeneratedAlways } from "kysely";
import type { InstallmentRow, InvoiceRow } from "./invoices.ts";
import type { StoredAmount, StoredDate, StoredInstant } from "./values.ts";

/** The day the aging roll-up of a workspace is counted for; each change of the roll-up holds the row. */
export interface AgingStateRow {
  tenant_id: string;
  /** Null until the roll-up is built. */
  as_of: StoredDate | null;
  /** Of the program that built it; to another one it is not built. */
  version: number | null;
  /** The latest committed instant that callers poll by (../change-stamps.ts); later changes get later ones. */
  stamped_at: StoredInstant | null;
}

/** When what callers see of a row last changed (completions §13). */
export interface ChangeStampRow {
  tenant_id: string;
  kind: "invoice" | "payment" | "payment_link" | "task";
  object_id: string;
  /** Hash of what is shown, as a UUID. */
  shown: string;
  changed_at: StoredInstant;
}

/** A member whose name or membership changed, until what names them is stamped. */
export interface RenamedMemberRow {
  tenant_id: string;
  change_id: Generated<string>;
  member_id: string;
  renamed_at: StoredInstant;
}

/** A debt that counts in aging reports (service.md §4.10 rule 1), as they show it. */
export interface AgingDebtRow {
  tenant_id: string;
  invoice_id: string;
  /** The installment, or of an invoice that never had any the invoice itself. */
  debt_id: string;
  customer_id: string | null;
  currency: string;
  due_date: StoredDate;
  amount: StoredAmount;
  sequence_number: number | null;
  installment_count: number;
  collectible: boolean;
  not_collectible_reason: InstallmentRow["not_collectible_reason"];
  invoice_number: string;
  /** The invoice's own. */
  customer_number: string | null;
  /** The ERP it is from; null of an invoice made in the service. */
  connection_id: string | null;
  /** Hash of all the rest as a number: those of many rows add up. */
  digest: string;
}

type Bucket = 0 | 1 | 2 | 3 | 4;

/** The debts of a customer in one currency by bucket, `current` first. */
export interface AgingCustomerRow
  extends Record<`amount_${Bucket}` | `digest_${Bucket}`, string>,
    /** What should be in by now, as the customer usually pays (completions §10). */
    Record<`past_${Bucket}`, Generated<string>>,
    Record<`debts_${Bucket}` | `invoices_${Bucket | "overdue" | "all"}`, number> {
  tenant_id: string;
  /** service.md §2.6. */
  customer_key: string;
  currency: string;
  customer_id: string | null;
  /** These two of the newest invoice with a debt in the row, the name where it has one. */
  customer_name: string;
  customer_number: string | null;
  /** The ERP that the debts are from; null of an invoice made in the service. */
  connection_id: string | null;
  search_text: string;
  sort_name: string;
  /** Hash of key, name and number. */
  identity: string;
  /** How the customer paid in the last two years, over all currencies (completions §10). */
  paid_installments: Generated<number>;
  median_days_late: string | null;
  average_days_late: string | null;
  on_time_share: string | null;
  /** Hash of key and history; 0 without a payment. */
  history: Generated<string>;
  /** Orders by `average_days_late`, the greatest first, customers with few payments last. */
  late_rank: GeneratedAlways<number>;
}

/** An installment that was closed on a known day, for its customer's payment history (completions §10). */
export interface AgingClosingRow {
  tenant_id: string;
  invoice_id: string;
  installment_id: string;
  customer_id: string | null;
  closed_on: StoredDate;
  /** Negative when early. */
  days_late: number;
}

/** The debts of all customers in one currency; counts are 64 bits wide and come as text. */
export interface AgingTotalRow
  extends Record<`history_${Bucket}` | `past_${Bucket}`, Generated<string>>,
    Record<`amount_${Bucket}` | `debts_${Bucket}` | `digest_${Bucket}`, string>,
    Record<`customers_${Bucket | "overdue" | "all"}`, string> {
  tenant_id: string;
  currency: string;
}

/** What lists of invoices rank and add up of each invoice; kept with the roll-up, as of its day. */
export interface InvoiceFigureRow {
  tenant_id: string;
  invoice_id: string;
  /** `UNKNOWN` where the invoice has none. */
  currency: string;
  collection_status: InvoiceRow["collection_status"];
  /** 0 where the invoice has none. */
  total_amount: StoredAmount;
  collection_outstanding: StoredAmount;
  overdue_outstanding: StoredAmount;
  amount_collected: StoredAmount;
  /** Text that sorts as the amount does, the largest first. */
  rank_outstanding: string;
  rank_overdue: string;
}

/** The figures of all invoices of a status in one currency. */
export interface InvoiceTotalRow extends Omit<InvoiceFigureRow, "invoice_id" | "rank_outstanding" | "rank_overdue"> {
  /** 64 bits wide: comes as text. */
  invoice_count: string;
}

/** The debts of a currency that are due on one day and have the same reason not to be collected. */
export interface AgingDayRow {
  tenant_id: string;
  currency: string;
  due_date: StoredDate;
  collectible: boolean;
  /** Empty for debts without one. */
  reason: string;
  amount: string;
  debts: string;
  /** Of each debt and, once for each, its customer's identity. */
  digest: string;
}
