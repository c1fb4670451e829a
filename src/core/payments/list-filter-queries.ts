import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Tables } from "../../store/tables/index.ts";
import { ifGiven } from "../shared/filter-conditions.ts";
import type { PaymentFilters } from "./list-filters.ts";

/** Conditions of the filters that are given. */
export function paymentConditions(
  eb: ExpressionBuilder<Tables, "payments" | "invoices">,
  filters: PaymentFilters,
): Expression<SqlBool>[] {
  return [
    ...ifGiven(filters.confirmed_since, (instant) => eb("payments.confirmed_at", ">=", instant)),
    ...ifGiven(filters.confirmed_before, (instant) => eb("payments.confirmed_at", "<", instant)),
    ...ifGiven(filters.payment_link_id, (id) => eb("payments.payment_link_id", "=", id)),
    ...ifGiven(filters.erp_receipt_number, (number) => eb("payments.erp_receipt_number", "=", number)),
    ...ifGiven(filters.invoice_number, (number) => eb("invoices.invoice_number", "=", number)),
    ...ifGiven(filters.invoice_id, (id) => eb("payments.invoice_id", "=", id)),
    ...ifGiven(filters.customer_id, (id) => eb("invoices.customer_id", "=", id)),
    ...ifGiven(filters.connection_id, (id) => eb("invoices.connection_id", "=", id)),
    ...ifGiven(filters.erp_push_status, (status) => eb("payments.erp_push_status", "=", status)),
  ];
}
