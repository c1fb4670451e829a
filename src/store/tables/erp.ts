import type { ColumnType, Generated } from "kysely";
import type { ErpReason } from "../../erp-reasons.ts";
import type { LeaseColumns, StoredAmount, StoredDate, StoredInstant } from "./values.ts";

export interface ErpConnectionRow {
  tenant_id: string;
  connection_id: string;
  /** What a person calls it; null for a name made of what it is (completions §10). */
  name: string | null;
  provider: "oracle_fusion";
  status: "connected" | "requires_reauthentication" | "temporarily_unavailable" | "disconnected";
  base_url: string;
  /** What the address may lead to: the internet for one that a person entered, anything for an operator's. */
  address_reach: "public" | "any";
  username: string;
  /** Encrypted (src/core/kernel/secrets.ts); null when no credential is held. */
  credential: string | null;
  sync_enabled: boolean;
  auto_sync_enabled: boolean;
  auto_sync_interval_minutes: number;
  pull_invoice_date_from: StoredDate | null;
  pull_contact_name: boolean;
  payment_push_mode: "automatic" | "held";
  apply_mode: "rest_action" | "automatch";
  /** The way of payment that receipts name; one of those the ERP's users have set up. */
  receipt_method: string;
  last_sync_at: StoredInstant | null;
  /** Null again once it leads to another address: nobody has seen what is there. */
  last_successful_sync_at: StoredInstant | null;
  /** Runs in a row, the latest included, that the ERP did not answer. */
  unreachable_runs: number;
  /** Since when calls to the ERP have told its status; null where none has. */
  status_since: StoredInstant | null;
  created_at: StoredInstant;
}

export interface SyncRunRow extends LeaseColumns {
  tenant_id: string;
  sync_run_id: string;
  connection_id: string;
  trigger: "manual" | "scheduled";
  status: "running" | "succeeded" | "failed";
  started_at: StoredInstant;
  finished_at: StoredInstant | null;
  /** The connection's `pull_invoice_date_from` when the run started. */
  pull_from: StoredDate | null;
  /** Every invoice up to this ERP id has been read by this run; `Infinity` once it read them all. */
  read_through: string | null;
  invoices_read: Generated<number>;
  invoices_created: Generated<number>;
  invoices_updated: Generated<number>;
  invoices_retired: Generated<number>;
  invoices_set_aside: Generated<number>;
  error_code: "authentication_failed" | "erp_unreachable" | "erp_rejected" | "interrupted" | "internal_error" | null;
  error_reason: ErpReason | null;
  /** Whether it may be the last that read some invoice: until a later run has read at least as much. */
  covers: Generated<boolean>;
  /** What it would have retired, where that was too much at once; written as JSON. */
  would_retire: ColumnType<WouldRetire | null, string | null | undefined, string | null>;
  /** Whether a person has yet to confirm that, or has, for the next pulls; null once it is settled or there is nothing to confirm. */
  retirement: Generated<"held" | "confirmed" | null>;
}

/** What a pull found to be missing in the ERP, when it was too much to retire without a person (completions §12). */
export interface WouldRetire {
  /** How many invoices of the connection still owed, the missing ones among them. */
  readonly owing: number;
  readonly missing: readonly MissingPart[];
  /** ERP ids of invoices that it could not read: they were not counted among the missing. */
  readonly set_aside: readonly string[];
}

/** Missing invoices of one business unit and currency. */
interface MissingPart {
  readonly business_unit: string | null;
  readonly currency: string | null;
  readonly invoices: number;
  /** How many of them still owe, and what together. */
  readonly owing: number;
  readonly outstanding: StoredAmount;
  /** When the first of them was not found any more. */
  readonly since: StoredInstant;
}

/** An invoice that the last sync could not read: what is stored of it stays. */
export interface SetAsideInvoiceRow {
  tenant_id: string;
  connection_id: string;
  erp_invoice_id: string;
  /** The latest run that could not read it. */
  sync_run_id: string;
  /** As the ERP has it; null where that cannot be read either. */
  invoice_number: string | null;
  /** The ERP's name of the attribute, its value (null for none), and why it cannot be taken in. */
  field: string;
  value: string | null;
  problem:
    | "missing"
    | "not_an_id"
    | "not_a_number"
    | "not_a_date"
    | "not_a_whole_number"
    | "not_text"
    | "not_a_flag"
    | "not_a_collection"
    | "not_a_currency";
  since: StoredInstant;
}
