import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";

/** Writes down that a person withdrew a link on an installment: Auto Generate makes none in its place (completions §12). */
export async function markWithdrawn(tx: Transaction, tenantId: string, installmentId: string, at: string) {
  await tx
    .updateTable("installments")
    .set(({ ref }) => ({ withdrawn_by_person_at: at, withdrawn_by_person_amount: ref("collection_outstanding") }))
    .where((column) => column.and({ tenant_id: tenantId, installment_id: installmentId }))
    .execute();
}

/** Takes that back: somebody made a link on each of them. */
export async function clearWithdrawn(tx: Transaction, tenantId: string, installmentIds: readonly string[]) {
  if (installmentIds.length === 0) return;
  await tx
    .updateTable("installments")
    .set({ withdrawn_by_person_at: null, withdrawn_by_person_amount: null })
    .where("tenant_id", "=", tenantId)
    .where("installment_id", "=", anyOf(installmentIds, "uuid"))
    .where("withdrawn_by_person_at", "is not", null)
    .execute();
}
