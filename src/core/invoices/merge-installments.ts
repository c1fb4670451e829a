import type { InstallmentRow } from "../../store/tables/invoices.ts";
import type { DeliveredInstallment } from "./delivered-invoice.ts";

/** An installment as it will be, beside what is stored of it; its figures are still to be derived. */
export interface MergedInstallment {
  row: InstallmentRow;
  stored: InstallmentRow | undefined;
}

interface Identity {
  tenantId: string;
  invoiceId: string;
  now: string;
  newId: () => string;
}

/**
 * The installments of an invoice after a delivery. One that was not delivered is removed, never deleted, and comes back
 * as itself when it is delivered again.
 */
export function mergeInstallments(
  stored: readonly InstallmentRow[],
  delivered: readonly DeliveredInstallment[],
  { tenantId, invoiceId, now, newId }: Identity,
): MergedInstallment[] {
  const byErpId = new Map(stored.map((row) => [row.erp_installment_id, row]));
  const present = delivered.map((installment): MergedInstallment => {
    const before = byErpId.get(installment.erp_installment_id);
    byErpId.delete(installment.erp_installment_id);
    const row: InstallmentRow = {
      ...(before ?? {
        tenant_id: tenantId,
        installment_id: newId(),
        invoice_id: invoiceId,
        collection_outstanding: "0",
        collectible: false,
        not_collectible_reason: "nothing_outstanding",
        created_at: now,
        withdrawn_by_person_at: null,
        withdrawn_by_person_amount: null,
      }),
      ...installment,
      removed_at: null,
    };
    return { row, stored: before };
  });
  const absent = [...byErpId.values()].map(
    (row): MergedInstallment => ({
      row: { ...row, removed_at: row.removed_at ?? now },
      stored: row,
    }),
  );
  return [...present, ...absent];
}
