import { lockChargeableCurrencies } from "../../src/core/collection/collection-queries.ts";
import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import { recomputeInvoices } from "../../src/core/invoices/recompute.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { PaymentRow } from "../../src/store/tables/payments.ts";

interface PushStatus {
  tenantId: string;
  paymentId: string;
  status: NonNullable<PaymentRow["erp_push_status"]>;
  at?: string;
}

/** Puts a payment's receipt into a state without an ERP, and derives its invoice's figures anew. */
export async function setPaymentPushStatus(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, paymentId, status, at }: PushStatus,
): Promise<void> {
  await lockChargeableCurrencies(tx, tenantId);
  const appliedAt = status === "applied" ? (at ?? nowOf(core)) : null;
  const { invoice_id: invoiceId } = await tx
    .updateTable("payments")
    .set({ erp_push_status: status, applied_at: appliedAt, reflected_at: null })
    .where("tenant_id", "=", tenantId)
    .where("payment_id", "=", paymentId)
    .returning("invoice_id")
    .executeTakeFirstOrThrow();
  await recomputeInvoices(tx, core, tenantId, [invoiceId]);
}
