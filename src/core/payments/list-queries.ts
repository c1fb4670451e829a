import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Given } from "../../store/prepared.ts";
import type { Transaction } from "../../store/store.ts";
import type { Tables } from "../../store/tables/index.ts";
import type { InvoiceRow } from "../../store/tables/invoices.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import type { PaymentFilters } from "./schema.ts";

const COLUMNS = [
  "payments.payment_id",
  "payments.invoice_id",
  "payments.installment_id",
  "payments.payment_link_id",
  "payments.amount_minor",
  "payments.currency",
  "payments.amount",
  "payments.confirmed_at",
  "payments.erp_push_status",
  "payments.erp_push_error",
  "payments.erp_receipt_number",
  "payments.created_at",
  "payments.paid_at",
  "payments.refunded_minor",
  "payments.disputed",
] as const;

type ColumnName<C> = C extends `payments.${infer Name extends keyof PaymentRow}` ? Name : never;

const OF_INVOICE = [
  "invoices.invoice_number",
  "invoices.customer_id",
  "invoices.customer_number",
  "invoices.customer_name",
] as const;

/** A payment as it is read. */
export type PaymentRecord = Selectable<Pick<PaymentRow, ColumnName<(typeof COLUMNS)[number]>>> &
  Pick<InvoiceRow, "invoice_number" | "customer_id" | "customer_number" | "customer_name">;

/** The tenant's payments taken through links that match every filter given (completions §5), unordered. */
export function matchingPayments(
  tx: Transaction,
  tenantId: Given<string>,
  filters: PaymentFilters,
): SelectQueryBuilder<Tables, "payments" | "invoices", PaymentRecord> {
  let query = tx
    .selectFrom("payments")
    .innerJoin("invoices", (join) =>
      join
        .onRef("invoices.tenant_id", "=", "payments.tenant_id")
        .onRef("invoices.invoice_id", "=", "payments.invoice_id"),
    )
    .select([...COLUMNS, ...OF_INVOICE])
    .where("payments.tenant_id", "=", tenantId)
    .where("payments.payment_link_id", "is not", null);
  if (filters.confirmed_since !== undefined)
    query = query.where("payments.confirmed_at", ">=", filters.confirmed_since);
  if (filters.confirmed_before !== undefined)
    query = query.where("payments.confirmed_at", "<", filters.confirmed_before);
  if (filters.payment_link_id !== undefined)
    query = query.where("payments.payment_link_id", "=", filters.payment_link_id);
  if (filters.erp_receipt_number !== undefined)
    query = query.where("payments.erp_receipt_number", "=", filters.erp_receipt_number);
  if (filters.invoice_number !== undefined) query = query.where("invoices.invoice_number", "=", filters.invoice_number);
  if (filters.invoice_id !== undefined) query = query.where("payments.invoice_id", "=", filters.invoice_id);
  if (filters.customer_id !== undefined) query = query.where("invoices.customer_id", "=", filters.customer_id);
  if (filters.connection_id !== undefined) query = query.where("invoices.connection_id", "=", filters.connection_id);
  if (filters.erp_push_status !== undefined)
    query = query.where("payments.erp_push_status", "=", filters.erp_push_status);
  return query;
}

/** What all matching payments come to, by currency (completions §10); the amount as the store holds it. */
export function paymentTotals(
  tx: Transaction,
  tenantId: string,
  filters: PaymentFilters,
): Promise<{ currency: string; count: string; amount: string }[]> {
  return matchingPayments(tx, tenantId, filters)
    .clearSelect()
    .select([
      "payments.currency",
      sql<string>`count(*)::text`.as("count"),
      sql<string>`sum(payments.amount)::text`.as("amount"),
    ])
    .groupBy("payments.currency")
    .orderBy("payments.currency")
    .execute();
}
