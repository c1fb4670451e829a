import type { InstallmentRow, InvoiceRow, SettledElsewhere } from "../../store/tables/invoices.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";

/** What an invoice's figures are derived from. */
export type InvoiceFacts = Pick<
  InvoiceRow,
  | "origin"
  | "finalised"
  | "retired_at"
  | "currency"
  | "customer_email"
  | "total_amount"
  | "erp_invoice_open_balance"
  | "has_installments"
> & {
  /** These two only of an invoice made in the service. */
  readonly voided_at?: string | null;
  readonly settled_elsewhere?: readonly SettledElsewhere[];
};

/** The same for one of its installments. */
export type InstallmentFacts = Pick<
  InstallmentRow,
  | "installment_id"
  | "sequence_number"
  | "due_date"
  | "original_amount"
  | "erp_outstanding"
  | "closed"
  | "disputed"
  | "excluded"
  | "removed_at"
>;

/** The same for a confirmed payment. */
export type PaymentFacts = Pick<
  PaymentRow,
  "installment_id" | "amount" | "currency" | "erp_push_status" | "reflected_at"
>;
