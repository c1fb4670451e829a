import type { Transaction } from "../../../store/store.ts";
import { sameTenant } from "../../shared/same-tenant.ts";

/** Payments that a receipt settles already. */
export function settledByReceipt(
  tx: Transaction,
  tenantId: string,
  { connectionId, receiptNumber }: { connectionId: string; receiptNumber: string },
) {
  return tx
    .selectFrom("payments")
    .select(["payment_id", "amount"])
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .where("erp_receipt_number", "=", receiptNumber)
    .where("erp_push_status", "=", "applied")
    .execute();
}

/** A payment's money, and the ERP connection of its invoice; undefined where there is none. */
export function connectionOfPayment(tx: Transaction, tenantId: string, paymentId: string) {
  return tx
    .selectFrom("payments")
    .innerJoin("erp_connections as erp", sameTenant("erp", "payments", "connection_id"))
    .select([
      "payments.amount",
      "payments.currency",
      "erp.connection_id",
      "erp.provider",
      "erp.base_url",
      "erp.address_reach",
      "erp.username",
      "erp.credential",
    ])
    .where("payments.tenant_id", "=", tenantId)
    .where("payments.payment_id", "=", paymentId)
    .executeTakeFirst();
}

/** A payment whose receipt a person or an operator manages; undefined when the tenant has no such payment. */
export function managedPayment(
  tx: Transaction,
  { tenantId, paymentId }: { tenantId: string; paymentId: string },
  { lock = false } = {},
) {
  return tx
    .selectFrom("payments")
    .leftJoin("erp_connections", sameTenant("erp_connections", "payments", "connection_id"))
    .select([
      "payments.payment_id",
      "payments.invoice_id",
      "payments.erp_push_status",
      "payments.erp_push_error",
      "payments.push_retryable",
      "payments.erp_receipt_number",
      "payments.settled_by_hand_at",
      "payments.receipt_round",
      "payments.lease_expires_at",
      "payments.push_put_off",
      "erp_connections.status as connection_status",
      "erp_connections.apply_mode",
    ])
    .where("payments.tenant_id", "=", tenantId)
    .where("payments.payment_id", "=", paymentId)
    .$if(lock, (query) => query.forUpdate("payments"))
    .executeTakeFirst();
}

export type ManagedPayment = NonNullable<Awaited<ReturnType<typeof managedPayment>>>;
