import { z } from "zod";
import { NOT_COLLECTIBLE_REASONS } from "../collection/not-collectible-reason.ts";
import {
  Count,
  describeSpelling,
  Instant,
  MoneyString,
  nameSchemas,
  PlainDate,
  SKETCHED,
  Uuid,
} from "../kernel/wire-types.ts";

/** service.md §3.2. */
export const CollectionStatus = z.enum(["paid", "open", "inactive"]);
/** service.md §3.3. */
export const ErpPushState = z.enum(["pending", "processing", "posted", "applied", "failed", "reversed"]);

/** service.md §2.4. */
const Customer = z.strictObject({
  id: Uuid.nullable().describe("The only safe key to group by"),
  number: z.string().nullable(),
  name: z.string().nullable(),
  contact_name: describeSpelling(z.string().nullable(), "A person"),
  email: describeSpelling(z.string().nullable(), "Billing email"),
});

/** completions §4, the first that holds. */
export const NotCollectibleReason = z.enum(NOT_COLLECTIBLE_REASONS);

/** completions §4. */
export const Installment = z.strictObject({
  id: Uuid,
  sequence_number: z.int().nullable(),
  due_date: PlainDate.nullable(),
  original_amount: MoneyString.nullable(),
  erp_installment_outstanding_amount: MoneyString.nullable(),
  collection_outstanding: MoneyString.describe("Still to collect"),
  available_amount: MoneyString.describe("Less its active links"),
  collectible: z.boolean(),
  not_collectible_reason: NotCollectibleReason.nullable(),
});

/** service.md §2.3. */
export const Invoice = z.strictObject({
  id: Uuid,
  invoice_number: z.string().nullable(),
  currency: describeSpelling(z.string().length(3).nullable(), "ISO 4217 code"),
  total_amount: MoneyString.nullable(),
  erp_invoice_open_balance: MoneyString.nullable().describe("As last read; lags collections"),
  invoice_date: PlainDate.nullable(),
  due_date: PlainDate.nullable().describe("Never age by it"),
  collection_due_date: PlainDate.nullable().describe("Age by it; null when nothing dated is collectible"),
  last_synced_at: describeSpelling(Instant.nullable(), "Last read from the ERP"),
  collection_outstanding: MoneyString.describe("Still to collect"),
  overdue_outstanding: MoneyString.describe("Overdue in aging"),
  available_amount: MoneyString.describe("Links could still be made for"),
  amount_collected: MoneyString.describe("Confirmed through links alone"),
  erp_push_state: ErpPushState.nullable().describe("Worst write-back state; a held receipt counts as pending"),
  has_held_payment: z.boolean().describe("A receipt is `held`"),
  collection_status: CollectionStatus.describe("`inactive` does not mean unpaid"),
  customer: Customer,
  origin: z.enum(["local", "erp"]),
  connection_id: Uuid.nullable(),
  created_at: Instant,
  updated_at: Instant.describe("Collections do not move it"),
  collection_updated_at: Instant.describe("Moves with what `updated_at` leaves out"),
  has_active_payment_link: z.boolean().optional(),
  payment_terms: z.string().optional(),
  collection_mode: z.string().optional(),
  // With `include=installments` (completions §10).
  installments: z.array(Installment).register(SKETCHED, {}).optional(),
});

/** Money for an invoice made in the service that came another way (completions §13). */
const SettledElsewhere = z.strictObject({ amount: MoneyString, date: PlainDate, reference: z.string() });

export const InvoiceWithInstallments = z.strictObject({
  ...Invoice.shape,
  installments: z.array(Installment),
  not_collectible_reason: NotCollectibleReason.optional().register(SKETCHED, {}),
  voided_at: Instant.nullable(),
  settled_elsewhere: z.array(SettledElsewhere),
});

/** All matching invoices of a currency (completions §10). */
export const InvoiceTotal = z.strictObject({
  currency: describeSpelling(z.string(), "ISO 4217 code or UNKNOWN"),
  count: Count,
  total_amount: MoneyString,
  collection_outstanding: MoneyString,
  overdue_outstanding: MoneyString,
  amount_collected: MoneyString,
});

nameSchemas({
  CollectionStatus,
  ErpPushState,
  Installment,
  Invoice,
  InvoiceCustomer: Customer,
  InvoiceOrigin: Invoice.shape.origin,
  InvoiceTotal,
  InvoiceWithInstallments,
  NotCollectibleReason,
  SettledElsewhere,
});
