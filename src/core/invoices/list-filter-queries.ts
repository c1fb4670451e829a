import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { changedSince } from "../../store/change-stamps.ts";
import { availableOf } from "../../store/live-links.ts";
import type { Tables } from "../../store/tables/index.ts";
import { hasText } from "../gate/search-queries.ts";
import { givenConditions, ifGiven } from "../kernel/filter-conditions.ts";
import { isShownLink } from "../payment-links/link-queries.ts";
import type { InvoiceFilters } from "./list-filters.ts";

/** Whether filters ask what aging counts as overdue, which stands in an invoice's figures. */
export const filtersOverdue = ({ overdue, min_overdue: least }: InvoiceFilters) =>
  overdue !== undefined || least !== undefined;

/** Conditions of the filters that are given; `overdue` is as of the roll-up's day, in `figures`. */
export function invoiceConditions(
  eb: ExpressionBuilder<Tables, "invoices">,
  tenantId: string,
  filters: InvoiceFilters,
) {
  return [
    ...givenConditions(eb, filters, {
      collection_status: "invoices.collection_status",
      currency: "invoices.currency",
      invoice_number: "invoices.invoice_number",
      connection_id: "invoices.connection_id",
      updated_since: ["invoices.updated_at", ">="],
      customer_id: "invoices.customer_id",
      has_active_payment_link: "invoices.has_active_payment_link",
      min_outstanding: ["invoices.collection_outstanding", ">="],
      amount: "invoices.total_amount",
      invoice_date_from: ["invoices.invoice_date", ">="],
      invoice_date_to: ["invoices.invoice_date", "<="],
      // An invoice without the date is left out of every call with a due filter (service.md §4.4).
      due_before: ["invoices.collection_due_date", "<="],
      due_after: ["invoices.collection_due_date", ">="],
    }),
    ...ifGiven(filters.collection_updated_since, (instant) =>
      changedSince(tenantId, "invoice", "invoices.invoice_id", instant),
    ),
    ...ifGiven(filters.erp_push_state, (state) =>
      state === "held" ? eb("invoices.has_held_payment", "=", true) : eb("invoices.erp_push_state", "=", state),
    ),
    ...ifGiven(filters.search, (text) => hasText("invoices.search_text", text)),
    ...ifGiven(filters.overdue, (isOverdue) => is(isOverdue, sql<SqlBool>`figures.overdue_outstanding > 0`)),
    ...ifGiven(filters.min_overdue, (amount) => sql<SqlBool>`figures.overdue_outstanding >= ${amount}`),
    ...ifGiven(filters.ever_had_payment_link, (had) => is(had, everLinked)),
    ...ifGiven(filters.has_available, (has) => is(has, hasAvailable(tenantId))),
  ];
}

const is = (wanted: boolean, condition: Expression<SqlBool>) => (wanted ? condition : sql<SqlBool>`not (${condition})`);

const everLinked = sql<SqlBool>`exists (select from payment_links as link
  where link.tenant_id = invoices.tenant_id and link.invoice_id = invoices.invoice_id and ${isShownLink("link")})`;

/** Only of an open invoice something can be collected. */
const hasAvailable = (tenantId: string) =>
  sql<SqlBool>`(invoices.collection_status = 'open' and ${availableOf("invoices", tenantId)} > 0)`;
