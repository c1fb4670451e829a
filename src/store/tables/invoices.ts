import type { ColumnType, Generated } from "kysely";
import type { StoredAmount, StoredDate, StoredInstant } from "./values.ts";

export interface CustomerRow {
  tenant_id: string;
  customer_id: string;
  connection_id: string;
  /** The ERP's id; or what replaces it where the ERP gives no id (src/core/invoices/delivery/delivered-invoice.ts). */
  erp_customer_id: string;
  /** All account numbers that its invoices carry (completions §13), one a line, the first seen first; null without any. */
  numbers: string | null;
  name: string | null;
  contact_name: string | null;
  /** Billing email as the ERP's account record has it. */
  email: string | null;
  /** The workspace's own billing email, which wins. */
  email_override: string | null;
  /** Folded names and numbers that its invoices carry, one a line, for literal search (`foldText`). */
  search_text: string;
  /** Folded name, for ordering. */
  sort_name: string;
  created_at: StoredInstant;
}

/** What people write down about a customer, for themselves. */
export interface CustomerNoteRow {
  tenant_id: string;
  note_id: string;
  customer_id: string;
  /** The member who wrote it; null for an operator. */
  author_id: string | null;
  text: string;
  /** When somebody is to come back to it. */
  due_on: StoredDate | null;
  created_at: StoredInstant;
  done_at: StoredInstant | null;
}

export interface InvoiceRow {
  tenant_id: string;
  invoice_id: string;
  origin: "local" | "erp";
  connection_id: string | null;
  /** A whole number of 64 bits: kept as text in code. */
  erp_invoice_id: string | null;
  invoice_number: string | null;
  currency: string | null;
  total_amount: StoredAmount | null;
  erp_invoice_open_balance: StoredAmount | null;
  invoice_date: StoredDate | null;
  due_date: StoredDate | null;
  payment_terms: string | null;
  /** The part of the company that is owed the money, as the ERP names it. */
  business_unit: string | null;
  /** False for every ERP status but `Complete` (completions §9). Always true for local invoices. */
  finalised: boolean;
  customer_id: string | null;
  customer_number: string | null;
  customer_name: string | null;
  /** Which of the customer's sites the ERP bills. */
  customer_site: string | null;
  contact_name: string | null;
  customer_email: string | null;
  /** Folded name and number of the customer, and number of the invoice. */
  search_text: string;
  sort_name: string;
  /** Hash of what the ERP delivered; an equal one means the row needs no write. */
  content_hash: string | null;
  /** When the row was last written by a read; a later run that covers it moves the figure on the wire. */
  last_synced_at: StoredInstant | null;
  /** Start of the run that did not find the invoice, until it is found again. */
  missing_since: StoredInstant | null;
  retired_at: StoredInstant | null;
  collection_status: "paid" | "open" | "inactive";
  collection_outstanding: StoredAmount;
  amount_collected: StoredAmount;
  collection_due_date: StoredDate | null;
  /** Of an invoice that never had installments: why it cannot be collected; null where no reason holds of it. */
  not_collectible_reason: NotCollectibleReason | null;
  erp_push_state: "pending" | "processing" | "posted" | "applied" | "failed" | "reversed" | null;
  has_held_payment: boolean;
  has_active_payment_link: boolean;
  /** True once the invoice ever had an installment, a removed one included (completions §9, invoice-only mode). */
  has_installments: boolean;
  created_at: StoredInstant;
  updated_at: StoredInstant;
}

/** Money for an invoice made in the service that came another way (completions §13); the amount is in the invoice's currency. */
export interface SettledElsewhere {
  readonly amount: StoredAmount;
  readonly date: StoredDate;
  readonly reference: string;
}

/** What only an invoice made in the service has. */
export interface LocalInvoiceColumns {
  voided_at: Generated<StoredInstant | null>;
  settled_elsewhere: ColumnType<readonly SettledElsewhere[], never, never>;
}

/** The first that holds (completions §4). */
type NotCollectibleReason =
  | "retired"
  | "removed"
  | "not_finalised"
  | "closed"
  | "excluded"
  | "disputed"
  | "nothing_outstanding"
  | "no_billing_email"
  | "currency_not_supported";

export interface InstallmentRow {
  tenant_id: string;
  installment_id: string;
  invoice_id: string;
  erp_installment_id: string | null;
  sequence_number: number | null;
  due_date: StoredDate | null;
  original_amount: StoredAmount | null;
  erp_outstanding: StoredAmount | null;
  closed: boolean;
  /** The day the ERP says it was closed; null where it says none, and of one that is open. */
  closed_on: StoredDate | null;
  disputed: boolean;
  excluded: boolean;
  removed_at: StoredInstant | null;
  collection_outstanding: StoredAmount;
  collectible: boolean;
  not_collectible_reason: NotCollectibleReason | null;
  created_at: StoredInstant;
  /** When a person last withdrew a link on it, and what it owed then; null once somebody made another (completions §12). */
  withdrawn_by_person_at: StoredInstant | null;
  withdrawn_by_person_amount: StoredAmount | null;
}
