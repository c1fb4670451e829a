import type { z } from "zod";
import { ExactNumber, type InInstants, InstantOrDay, PlainDate, Uuid } from "../kernel/wire-types.ts";
import { PaymentPushStatus } from "./schema.ts";

/** Filters of completions §5; they combine freely. */
export const PAYMENT_FILTERS = {
  confirmed_since: InstantOrDay.optional().describe("Inclusive; a day starts in the workspace's timezone"),
  confirmed_before: InstantOrDay.optional().describe("Exclusive"),
  paid_from: PlainDate.optional().describe("First day, by `paid_at`"),
  paid_to: PlainDate.optional().describe("Last day"),
  invoice_id: Uuid.optional().describe("Invoice"),
  invoice_number: ExactNumber.optional(),
  payment_link_id: Uuid.optional().describe("Payment link"),
  customer_id: Uuid.optional().describe("`customer.id`"),
  connection_id: Uuid.optional().describe("ERP connection"),
  erp_push_status: PaymentPushStatus.optional().describe("Write-back state"),
  erp_receipt_number: ExactNumber.optional(),
};

type Given = InInstants<z.output<z.ZodObject<typeof PAYMENT_FILTERS>>>;

/** The same in instants; `paid_before` is when the day after `paid_to` begins. */
export type PaymentFilters = Omit<Given, "paid_to"> & { paid_before?: string | undefined };
