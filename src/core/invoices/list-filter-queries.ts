import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { changedSince } from "../../store/change-stamps.ts";
import { availableOf } from "../../store/live-links.ts";
import type { Tables } from "../../store/tables/index.ts";
import { hasText } from "../gate/search-queries.ts";
import { ifGiven } from "../kernel/filter-conditions.ts";
import { isShownLink } from "../payment-links/link-queries.ts";
import type { InvoiceFilters } from "./list-filters.ts";

/** Conditions of the filters that are given; `overdue` is as of the roll-up's day. */
export function invoiceConditions(
  eb: ExpressionBuilder<Tables, "invoices">,
  tenantId: string,
  filters: InvoiceFilters,
) {
  return [
    ...ifGiven(filters.collection_status, (status) => eb("invoices.collection_status", "=", status)),
    ...ifGiven(filters.currency, (currency) => eb("invoices.currency", "=", currency)),
    ...ifGiven(filters.invoice_number, (number) => eb("invoices.invoice_number", "=", number)),
    ...ifGiven(filters.connection_id, (id) => eb("invoices.connection_id", "=", id)),
    ...ifGiven(filters.updated_since, (instant) => eb("invoices.updated_at", ">=", instant)),
    ...ifGiven(filters.collection_updated_since, (instant) =>
      changedSince(tenantId, "invoice", "invoices.invoice_id", instant),
    ),
    ...ifGiven(filters.customer_id, (id) => eb("invoices.customer_id", "=", id)),
    ...ifGiven(filters.erp_push_state, (state) =>
      state === "held" ? eb("invoices.has_held_payment", "=", true) : eb("invoices.erp_push_state", "=", state),
    ),
    ...ifGiven(filters.has_active_payment_link, (has) => eb("invoices.has_active_payment_link", "=", has)),
    ...ifGiven(filters.min_outstanding, (amount) => eb("invoices.collection_outstanding", ">=", amount)),
    ...ifGiven(filters.search, (text) => hasText("invoices.search_text", text)),
    ...ifGiven(filters.amount, (amount) => eb("invoices.total_amount", "=", amount)),
    ...ifGiven(filters.invoice_date_from, (date) => eb("invoices.invoice_date", ">=", date)),
    ...ifGiven(filters.invoice_date_to, (date) => eb("invoices.invoice_date", "<=", date)),
    ...ifGiven(filters.overdue, (isOverdue) => is(isOverdue, overdueBy(eb, ">", "0"))),
    ...ifGiven(filters.min_overdue, (amount) => overdueBy(eb, ">=", amount)),
    ...ifGiven(filters.ever_had_payment_link, (had) => is(had, everLinked)),
    ...ifGiven(filters.has_available, (has) => is(has, hasAvailable(tenantId))),
    ...dueConditions(eb, filters),
  ];
}

const is = (wanted: boolean, condition: Expression<SqlBool>) => (wanted ? condition : sql<SqlBool>`not (${condition})`);

/** As aging counts it, on the roll-up's day. */
const overdueBy = (eb: ExpressionBuilder<Tables, "invoices">, compare: ">" | ">=", amount: string) =>
  eb.exists(
    eb
      .selectFrom("invoice_figures as figures")
      .select("figures.invoice_id")
      .where("figures.overdue_outstanding", compare, amount)
      .whereRef("figures.tenant_id", "=", "invoices.tenant_id")
      .whereRef("figures.invoice_id", "=", "invoices.invoice_id"),
  );

const everLinked = sql<SqlBool>`exists (select from payment_links as link
  where link.tenant_id = invoices.tenant_id and link.invoice_id = invoices.invoice_id and ${isShownLink("link")})`;

/** Only of an open invoice something can be collected. */
const hasAvailable = (tenantId: string) =>
  sql<SqlBool>`(invoices.collection_status = 'open' and ${availableOf("invoices", tenantId)} > 0)`;

/**
 * Both ends are included. An invoice without a `collection_due_date`, which is null, meets no condition on it: it is left out of every
 * call with a due filter (service.md §4.4).
 */
function dueConditions(eb: ExpressionBuilder<Tables, "invoices">, { due_before, due_after }: InvoiceFilters) {
  return [
    ...ifGiven(due_before, (date) => eb("invoices.collection_due_date", "<=", date)),
    ...ifGiven(due_after, (date) => eb("invoices.collection_due_date", ">=", date)),
  ];
}
