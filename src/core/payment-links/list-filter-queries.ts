import type { Expression, ExpressionBuilder, Nullable, SqlBool } from "kysely";
import type { Tables } from "../../store/tables/index.ts";
import { ifGiven } from "../shared/filter-conditions.ts";
import type { LinkFilters } from "./list-filters.ts";

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
