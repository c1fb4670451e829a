import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { z } from "zod";
import type { Tables } from "../../store/tables/index.ts";
import { ifGiven } from "../shared/filter-conditions.ts";
import { FilterText, type InInstants, InstantOrDay, Uuid } from "../shared/wire-types.ts";
import { PaymentPushStatus } from "./schema.ts";

/** Filters of completions §5; they combine freely. */
export const PAYMENT_FILTERS = {
  confirmed_since: InstantOrDay.optional().describe(
    "Inclusive; instant, or day: its start in the workspace's timezone",
  ),
  confirmed_before: InstantOrDay.optional().describe("Exclusive"),
  invoice_id: Uuid.optional().describe("Invoice"),
  invoice_number: FilterText.min(1).max(100).optional().describe("Exact match"),
  payment_link_id: Uuid.optional().describe("Payment link"),
  customer_id: Uuid.optional().describe("`customer.id` of an invoice"),
  connection_id: Uuid.optional().describe("ERP connection"),
  erp_push_status: PaymentPushStatus.optional().describe("Write-back state"),
  erp_receipt_number: FilterText.min(1).max(100).optional().describe("Exact match"),
};

export type PaymentFilters = InInstants<z.output<z.ZodObject<typeof PAYMENT_FILTERS>>>;

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
