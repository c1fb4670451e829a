import { z } from "zod";
import {
  FilterText,
  type InInstants,
  Instant,
  InstantOrDay,
  MoneyString,
  SPELLINGS,
  Uuid,
} from "../shared/validation.ts";

/** completions §4: service.md §3.3 for one payment. */
export const PaymentPushStatus = z.enum(["held", "pending", "processing", "posted", "applied", "failed", "reversed"]);

/** completions §4. */
export const Payment = z.strictObject({
  id: Uuid,
  invoice_id: Uuid,
  invoice_number: z.string().nullable(),
  customer: z.strictObject({ id: Uuid.nullable(), number: z.string().nullable(), name: z.string().nullable() }),
  installment_id: Uuid,
  payment_link_id: Uuid,
  amount_minor: z.int().describe("Minor units"),
  currency: z.string().length(3).describe("ISO 4217 code").register(SPELLINGS, {}),
  amount: MoneyString,
  confirmed_at: Instant.describe("When the service learnt of it"),
  erp_push_status: PaymentPushStatus.nullable().describe("Null without an ERP"),
  erp_push_error: z.string().nullable(),
  erp_receipt_number: z.string().nullable(),
  created_at: Instant,
  // What the three mean stands in the words of listPayments: a description each would cost every conversation.
  paid_at: Instant,
  refunded_minor: z.int(),
  disputed: z.boolean(),
});

/** Filters of completions §5; they combine freely. */
export const PAYMENT_FILTERS = {
  confirmed_since: InstantOrDay.optional().describe(
    "Inclusive; instant, or day: its start in the workspace's timezone",
  ),
  confirmed_before: InstantOrDay.optional().describe("Exclusive"),
  invoice_id: Uuid.optional().describe("Invoice"),
  invoice_number: FilterText.min(1).max(100).optional().describe("Exact match"),
  payment_link_id: Uuid.optional().describe("Payment link"),
  customer_id: Uuid.optional().describe("`customer.id` of an invoice"),
  connection_id: Uuid.optional().describe("ERP connection"),
  erp_push_status: PaymentPushStatus.optional().describe("Write-back state"),
  erp_receipt_number: FilterText.min(1).max(100).optional().describe("Exact match"),
};

export type PaymentFilters = InInstants<z.output<z.ZodObject<typeof PAYMENT_FILTERS>>>;
