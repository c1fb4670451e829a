import { sql } from "kysely";
import { touchInvoices } from "../../store/aging/rollup.ts";
import { holdName, tryName } from "../../store/named-lock.ts";
import { anyOf, assignments, recordset } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import { HeldByAnother } from "../../store/unavailable.ts";
import {
  INSTALLMENT_FIGURES,
  INVOICE_FIGURES,
  type InstallmentFigures,
  type InvoiceFigures,
} from "./collection-figures.ts";

const nameOfFigures = (tenantId: string) => `figures of ${tenantId}`;

/**
 * Holds what a workspace's figures are computed from until the transaction ends. Of what a transaction locks this is the first: then
 * come ERP connections, their runs, customers, invoices, and what hangs on these; the roll-up's row is the last. Throws HeldByAnother.
 */
export async function holdFigures(tx: Transaction, tenantId: string) {
  const isHeld = await tryName(tx, nameOfFigures(tenantId), "shared");
  if (!isHeld) throw new HeldByAnother("what the workspace's figures are computed from");
}

/**
 * Keeps every writer of collection figures out until the transaction ends: what can be charged is about to change. That may take
 * minutes of a large book, so it is no lock of the workspace's row, for which its keys, its permissions and its settings would wait.
 */
export async function lockTenantFigures(tx: Transaction, tenantId: string) {
  await holdName(tx, nameOfFigures(tenantId));
}

/**
 * The currencies that some connected payment integration of the workspace charges, held until the transaction ends:
 * connecting or disconnecting one waits, so that no figure is computed from what no longer holds.
 */
export async function lockChargeableCurrencies(tx: Transaction, tenantId: string) {
  await holdFigures(tx, tenantId);
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
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .orderBy("invoice_id")
    .forUpdate()
    .execute();
}

/** All installments of some invoices, removed ones too, oldest first. */
export function installmentsOf(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  return tx
    .selectFrom("installments")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .orderBy("installment_id")
    .execute();
}

/** All confirmed payments of some invoices. */
export function paymentsOf(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  return tx
    .selectFrom("payments")
    .selectAll()
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
