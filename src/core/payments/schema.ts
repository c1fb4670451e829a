import { z } from "zod";
import { Count, describeSpelling, Instant, MoneyString, nameSchemas, Uuid } from "../kernel/wire-types.ts";
import { PaymentIntegration } from "../provider-access/schema.ts";

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
  amount_minor: describeSpelling(Count, "Minor units"),
  currency: describeSpelling(z.string().length(3), "ISO 4217 code"),
  amount: MoneyString,
  confirmed_at: Instant.describe("When the service learnt of it"),
  erp_push_status: PaymentPushStatus.nullable().describe("Null without an ERP"),
  erp_push_error: z.string().nullable(),
  erp_push_attempted_at: Instant.nullable(),
  erp_receipt_number: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
  // What these mean stands in the words of listPayments: a description each would cost every conversation.
  paid_at: Instant,
  refunded_minor: Count,
  refunded: MoneyString,
  disputed: z.boolean(),
  provider: PaymentIntegration.shape.provider,
  provider_reference: z.string().nullable(),
});

nameSchemas({ Payment, PaymentCustomer: Payment.shape.customer, PaymentPushStatus });
