import { z } from "zod";
import { COLLECTORS } from "../gate/actor.ts";
import { Count, describeSpelling, Instant, MoneyString, nameSchemas, Uuid } from "../kernel/wire-types.ts";

/** completions §4: `active` until it is paid or withdrawn; both are final. */
export const PaymentLinkStatus = z.enum(["active", "paid", "deactivated"]);

export const EmailStatus = z.enum(["scheduled", "sent", "cancelled", "failed"]);

const Email = z.strictObject({
  status: EmailStatus,
  to: z.string(),
  send_at: Instant,
  sent_at: Instant.nullable(),
  failed_at: Instant.nullable(),
  error: z.string().nullable(),
});

/** completions §4. */
export const PaymentLink = z.strictObject({
  id: Uuid,
  invoice_id: Uuid,
  invoice_number: z.string().nullable(),
  customer_id: Uuid.nullable(),
  customer_name: z.string().nullable(),
  installment_id: Uuid,
  payment_integration_id: Uuid,
  amount_minor: describeSpelling(Count, "Minor units"),
  amount: MoneyString,
  currency: describeSpelling(z.string().length(3), "ISO 4217 code"),
  url: describeSpelling(z.string(), "Pay page"),
  status: describeSpelling(PaymentLinkStatus, "`paid` and `deactivated` are final"),
  email: describeSpelling(Email.nullable(), "By workflows only"),
  created_at: Instant,
  updated_at: Instant,
  created_by: z.strictObject({
    kind: z.enum(["api_key", "member", "workflow"]),
    id: Uuid,
    name: z.string().nullable(),
  }),
  paid_at: Instant.nullable(),
  deactivated_at: Instant.nullable(),
});

/** How links and their emails are changed. */
export const LINK_CHANGE = {
  tag: "Payment links",
  callers: COLLECTORS,
  permission: "admin",
  scope: "payment_links:write",
} as const;

/** What one link is asked for with (service.md §4.11). */
export const LINK_FIELDS = {
  invoice_id: Uuid.describe("Invoice"),
  installment_id: Uuid.describe("Installment of the invoice"),
  amount_minor: z.int().min(1).optional().describe("Minor units; left out: all that is available"),
};

nameSchemas({
  EmailStatus,
  LinkMaker: PaymentLink.shape.created_by,
  LinkMakerKind: PaymentLink.shape.created_by.shape.kind,
  PaymentLink,
  PaymentLinkEmail: Email,
  PaymentLinkStatus,
});
