import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Tables } from "../../store/tables/index.ts";
import { ifGiven } from "../kernel/filter-conditions.ts";
import { foldText } from "../kernel/text.ts";
import type { InvoiceFilters } from "./list-filters.ts";

/** Conditions of the filters that are given; `overdue` is as of the roll-up's day. */
export function invoiceConditions(
  eb: ExpressionBuilder<Tables, "invoices">,
  filters: InvoiceFilters,
): Expression<SqlBool>[] {
  return [
    ...ifGiven(filters.collection_status, (status) => eb("invoices.collection_status", "=", status)),
    ...ifGiven(filters.currency, (currency) => eb("invoices.currency", "=", currency)),
    ...ifGiven(filters.invoice_number, (number) => eb("invoices.invoice_number", "=", number)),
    ...ifGiven(filters.connection_id, (id) => eb("invoices.connection_id", "=", id)),
    ...ifGiven(filters.updated_since, (instant) => eb("invoices.updated_at", ">=", instant)),
    ...ifGiven(filters.customer_id, (id) => eb("invoices.customer_id", "=", id)),
    ...ifGiven(filters.erp_push_state, (state) =>
      state === "held" ? eb("invoices.has_held_payment", "=", true) : eb("invoices.erp_push_state", "=", state),
    ),
    ...ifGiven(filters.has_active_payment_link, (has) => eb("invoices.has_active_payment_link", "=", has)),
    ...ifGiven(filters.min_outstanding, (amount) => eb("invoices.collection_outstanding", ">=", amount)),
    ...ifGiven(filters.search, (text) => hasText(text)),
    ...ifGiven(filters.overdue, (isOverdue) => {
      const overdue = eb
        .selectFrom("invoice_figures as figures")
        .select("figures.invoice_id")
        .where("figures.overdue_outstanding", ">", "0")
        .whereRef("figures.tenant_id", "=", "invoices.tenant_id")
        .whereRef("figures.invoice_id", "=", "invoices.invoice_id");
      return isOverdue ? eb.exists(overdue) : eb.not(eb.exists(overdue));
    }),
    ...dueConditions(eb, filters),
  ];
}

/**
 * Both ends are included. An invoice without a `collection_due_date`, which is null, meets no condition on it: it is left out of every
 * call with a due filter (service.md §4.4).
 */
function dueConditions(
  eb: ExpressionBuilder<Tables, "invoices">,
  { due_before, due_after }: InvoiceFilters,
): Expression<SqlBool>[] {
  return [
    ...ifGiven(due_before, (date) => eb("invoices.collection_due_date", "<=", date)),
    ...ifGiven(due_after, (date) => eb("invoices.collection_due_date", ">=", date)),
  ];
}

/** Where a part of the invoice's number, or of its customer's name or number, is the text, in any case. */
function hasText(text: string): Expression<SqlBool> {
  // A line break stands between names and numbers, and in none of them.
  if (text.includes("\n")) return sql<SqlBool>`false`;
  return sql<SqlBool>`strpos(invoices.search_text, ${foldText(text)}) > 0`;
}
