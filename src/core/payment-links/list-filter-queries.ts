import type { Expression, ExpressionBuilder, Nullable, SqlBool } from "kysely";
import { z } from "zod";
import type { Tables } from "../../store/tables/index.ts";
import { ifGiven } from "../shared/filter-conditions.ts";
import { type InInstants, InstantOrDay, Uuid } from "../shared/wire-types.ts";
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

const Filters = z.strictObject(LINK_FILTERS);
export type LinkFilters = InInstants<z.output<typeof Filters>>;

type Joined = Tables & { link_emails: Nullable<Tables["link_emails"]> };

/** Conditions of the filters that are given. */
export function linkConditions(
  eb: ExpressionBuilder<Joined, "payment_links" | "invoices" | "link_emails">,
  filters: LinkFilters,
): Expression<SqlBool>[] {
  return [
    ...ifGiven(filters.invoice_id, (id) => eb("payment_links.invoice_id", "=", id)),
    ...ifGiven(filters.installment_id, (id) => eb("payment_links.installment_id", "=", id)),
    ...ifGiven(filters.status, (status) => eb("payment_links.state", "=", status)),
    ...ifGiven(filters.customer_id, (id) => eb("invoices.customer_id", "=", id)),
    ...ifGiven(filters.email_status, (status) => eb("link_emails.status", "=", status)),
    ...ifGiven(filters.email_send_from, (instant) => eb("link_emails.send_at", ">=", instant)),
    ...ifGiven(filters.email_send_before, (instant) => eb("link_emails.send_at", "<", instant)),
    ...ifGiven(filters.created_since, (instant) => eb("payment_links.created_at", ">=", instant)),
  ];
}
