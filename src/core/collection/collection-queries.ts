import { sql } from "kysely";
import { touchInvoices } from "../../store/aging/rollup.ts";
import { anyOf, assignments, type Columns, recordset } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { InstallmentFigures, InvoiceFigures } from "./collection-figures.ts";

/** Columns of an invoice's figures. */
export const INVOICE_FIGURES = {
  collection_status: "text",
  collection_outstanding: "numeric",
  amount_collected: "numeric",
  collection_due_date: "date",
  not_collectible_reason: "text",
  erp_push_state: "text",
  has_held_payment: "boolean",
} as const satisfies Columns<InvoiceFigures>;

/** The same of an installment's. */
export const INSTALLMENT_FIGURES = {
  collection_outstanding: "numeric",
  collectible: "boolean",
  not_collectible_reason: "text",
} as const satisfies Columns<InstallmentFigures>;

/**
 * The currencies that some connected payment integration of the workspace charges, held until the transaction ends:
 * connecting or disconnecting one waits, so that no figure is computed from what no longer holds.
 */
export async function lockChargeableCurrencies(tx: Transaction, tenantId: string) {
  await tx.selectFrom("tenants").select("tenant_id").where("tenant_id", "=", tenantId).forShare().execute();
  const rows = await tx
    .selectFrom("payment_integrations")
    .select("currencies")
    .where((column) => column.and({ tenant_id: tenantId, status: "connected" }))
    .execute();
  return new Set(rows.flatMap((row) => row.currencies));
}

/** Invoices by id, locked in the order of their ids. */
export async function lockInvoices(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  if (invoiceIds.length === 0) return [];
  return tx
    .selectFrom("invoices")
    .select([
      "invoice_id",
      "invoice_number",
      "origin",
      "finalised",
      "retired_at",
      "currency",
      "customer_email",
      "total_amount",
      "erp_invoice_open_balance",
      "has_installments",
      "collection_status",
      "collection_outstanding",
      "amount_collected",
      "collection_due_date",
      "not_collectible_reason",
      "erp_push_state",
      "has_held_payment",
      "voided_at",
      "settled_elsewhere",
    ])
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .orderBy("invoice_id")
    .forUpdate()
    .execute();
}

/** All installments of some invoices, removed ones too, oldest first. */
export async function installmentsOf(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  if (invoiceIds.length === 0) return [];
  return tx
    .selectFrom("installments")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .orderBy("installment_id")
    .execute();
}

/** All confirmed payments of some invoices. */
export async function paymentsOf(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  if (invoiceIds.length === 0) return [];
  return tx
    .selectFrom("payments")
    .select(["invoice_id", "installment_id", "amount", "currency", "erp_push_status", "reflected_at"])
    .select(["payment_id", "payment_link_id", "provider_payment_id", "paid_at", "refunded_minor", "settled_otherwise"])
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .execute();
}

/** Writes figures; nothing else of the rows moves, `updated_at` least of all (service.md §2.3). */
export async function writeFigures(
  tx: Transaction,
  tenantId: string,
  invoices: readonly (InvoiceFigures & { invoice_id: string })[],
  installments: readonly (InstallmentFigures & { installment_id: string; invoice_id: string })[],
) {
  touchInvoices(
    tx,
    [...invoices, ...installments].map((row) => row.invoice_id),
  );
  if (invoices.length > 0) {
    const rows = recordset("figures", invoices, { invoice_id: "uuid", ...INVOICE_FIGURES });
    await sql`update invoices as invoice set ${assignments(Object.keys(INVOICE_FIGURES), "figures")} from ${rows}
      where invoice.tenant_id = ${tenantId} and invoice.invoice_id = figures.invoice_id`.execute(tx);
  }
  if (installments.length > 0) {
    const columns = { installment_id: "uuid", invoice_id: "uuid", ...INSTALLMENT_FIGURES } as const;
    const rows = recordset("figures", installments, columns);
    await sql`update installments as installment set ${assignments(Object.keys(INSTALLMENT_FIGURES), "figures")}
      from ${rows}
      where installment.tenant_id = ${tenantId} and installment.installment_id = figures.installment_id`.execute(tx);
  }
}

/** Ids of a tenant's invoices in order, from after `after` on. */
export async function invoiceIdsAfter(tx: Transaction, tenantId: string, after: string | null, limit: number) {
  let query = tx.selectFrom("invoices").select("invoice_id").where("tenant_id", "=", tenantId);
  if (after !== null) query = query.where("invoice_id", ">", after);
  const rows = await query.orderBy("invoice_id").limit(limit).execute();
  return rows.map((row) => row.invoice_id);
}
