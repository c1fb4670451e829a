import type { z } from "zod";
import { type InInstants, InstantOrDay, Uuid } from "../kernel/wire-types.ts";
import { EmailStatus, PaymentLinkStatus } from "./schema.ts";

/** Filters of completions §5; they combine freely. */
export const LINK_FILTERS = {
  invoice_id: Uuid.optional().describe("Invoice"),
  installment_id: Uuid.optional().describe("Installment"),
  status: PaymentLinkStatus.optional().describe("Link status"),
  customer_id: Uuid.optional().describe("`customer.id` of an invoice"),
  email_status: EmailStatus.optional().describe("Of its email"),
  email_send_from: InstantOrDay.optional().describe("Inclusive, by email.send_at; instant, or day in the workspace"),
  email_send_before: InstantOrDay.optional().describe("Exclusive"),
  created_since: InstantOrDay.optional().describe("Inclusive"),
};

export type LinkFilters = InInstants<z.output<z.ZodObject<typeof LINK_FILTERS>>>;
