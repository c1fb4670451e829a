import type { z } from "zod";
import type { Bucket } from "../../core/aging/buckets.ts";
import type { CollectionStatus, NotCollectibleReason } from "../../core/invoices/schema.ts";
import type { PaymentLink } from "../../core/payment-links/schema.ts";
import type { PaymentPushStatus } from "../../core/payments/schema.ts";

type Link = z.output<typeof PaymentLink>;

/** Labels of the aging buckets, youngest debt first. */
export const BUCKET_NAMES: Readonly<Record<Bucket, string>> = {
  current: "Not overdue",
  days_1_30: "1–30 days",
  days_31_60: "31–60 days",
  days_61_90: "61–90 days",
  over_90: "Over 90 days",
};

/** Why the service cannot collect a debt. */
export const REASONS: Readonly<Record<z.output<typeof NotCollectibleReason>, string>> = {
  retired: "no longer in the ERP",
  removed: "no longer part of the invoice",
  not_finalised: "not finalised in the ERP",
  closed: "closed in the ERP",
  excluded: "excluded from collections",
  disputed: "disputed",
  nothing_outstanding: "nothing outstanding",
  no_billing_email: "no billing email",
  currency_not_supported: "no payment provider charges this currency",
};

/** The collection states of an invoice. */
export const COLLECTION_STATES: Readonly<Record<z.output<typeof CollectionStatus>, string>> = {
  open: "open",
  paid: "paid",
  inactive: "not collected here",
};

/** The states of a payment link. */
export const LINK_STATES: Readonly<Record<Link["status"], string>> = {
  active: "Waits for payment",
  paid: "Paid",
  deactivated: "Withdrawn",
};

/** The states of a payment link's email, before its address. */
export const EMAIL_STATES: Readonly<Record<NonNullable<Link["email"]>["status"], string>> = {
  scheduled: "Email scheduled to",
  sent: "Email sent to",
  cancelled: "Email cancelled to",
  failed: "Email failed to",
};

/** The states of a payment's receipt on its way into the ERP. */
export const PUSH_STATES: Readonly<Record<z.output<typeof PaymentPushStatus>, string>> = {
  held: "Receipt is held",
  pending: "Receipt is queued for the ERP",
  processing: "Receipt is being posted to the ERP",
  posted: "Receipt is posted, not applied yet",
  applied: "Receipt is applied in the ERP",
  failed: "Receipt failed",
  reversed: "Receipt was reversed in the ERP",
};

/** `1 invoice`, `2 invoices`. */
export function numbered(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
