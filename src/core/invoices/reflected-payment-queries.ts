import { type SqlBool, sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";

/**
 * Whether the ERP's balance includes a payment once a run has read its invoice: the receipt was applied before that run began, and no
 * earlier run had included it (completions §6).
 */
const isReflectedBy = (startedAt: string) =>
  sql<SqlBool>`erp_push_status = 'applied' and applied_at < ${startedAt} and reflected_at is null`;

/** Which of some invoices have payments to mark as reflected; to be locked before the payments are. */
export async function invoicesToReflect(
  tx: Transaction,
  tenantId: string,
  invoiceIds: readonly string[],
  startedAt: string,
) {
  if (invoiceIds.length === 0) return [];
  const rows = await tx
    .selectFrom("payments")
    .select("invoice_id")
    .distinct()
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where(isReflectedBy(startedAt))
    .execute();
  return rows.map((row) => row.invoice_id);
}

/** Marks the payments that the ERP's balance includes from a read on; answers the invoices they are on. */
export async function reflectPayments(
  tx: Transaction,
  tenantId: string,
  invoiceIds: readonly string[],
  run: { startedAt: string; now: string },
) {
  if (invoiceIds.length === 0) return [];
  const rows = await tx
    .updateTable("payments")
    .set({ reflected_at: run.now })
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where(isReflectedBy(run.startedAt))
    .returning("invoice_id")
    .execute();
  return [...new Set(rows.map((row) => row.invoice_id))];
}
