import type { Selectable, Updateable } from "kysely";
import type { Transaction } from "../../../store/store.ts";
import type { ErpConnectionRow } from "../../../store/tables/erp.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";

/** A payment whose receipt a person or an operator sees to. */
export type ManagedPayment = Pick<
  Selectable<PaymentRow>,
  | "payment_id"
  | "invoice_id"
  | "erp_push_status"
  | "erp_push_error"
  | "push_retryable"
  | "erp_receipt_number"
  | "settled_by_hand_at"
  | "receipt_round"
  | "lease_expires_at"
  | "push_put_off"
> & { connection_status: ErpConnectionRow["status"] | null; apply_mode: ErpConnectionRow["apply_mode"] | null };

/** The invoice that a payment is on; undefined when the tenant has no such payment. */
export async function invoiceOfPayment(
  tx: Transaction,
  tenantId: string,
  paymentId: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom("payments")
    .select("invoice_id")
    .where("tenant_id", "=", tenantId)
    .where("payment_id", "=", paymentId)
    .executeTakeFirst();
  return row?.invoice_id;
}

/** Payments that a receipt settles already. */
export async function settledByReceipt(
  tx: Transaction,
  tenantId: string,
  { connectionId, receiptNumber }: { connectionId: string; receiptNumber: string },
): Promise<Pick<Selectable<PaymentRow>, "payment_id" | "amount">[]> {
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
export function connectionOfPayment(
  tx: Transaction,
  tenantId: string,
  paymentId: string,
): Promise<
  | (Pick<ErpConnectionRow, "connection_id" | "provider" | "base_url" | "address_reach" | "username" | "credential"> &
      Pick<Selectable<PaymentRow>, "amount" | "currency">)
  | undefined
> {
  return tx
    .selectFrom("payments")
    .innerJoin("erp_connections as erp", (join) =>
      join.onRef("erp.tenant_id", "=", "payments.tenant_id").onRef("erp.connection_id", "=", "payments.connection_id"),
    )
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

/** A payment, locked after its invoice. */
export function lockManagedPayment(tx: Transaction, tenantId: string, paymentId: string): Promise<ManagedPayment> {
  return managedPayment(tx, tenantId, paymentId).forUpdate("payments").executeTakeFirstOrThrow();
}

/** The same as it is just now; undefined when the tenant has no such payment. */
export function readManagedPayment(
  tx: Transaction,
  tenantId: string,
  paymentId: string,
): Promise<ManagedPayment | undefined> {
  return managedPayment(tx, tenantId, paymentId).executeTakeFirst();
}

function managedPayment(tx: Transaction, tenantId: string, paymentId: string) {
  return tx
    .selectFrom("payments")
    .leftJoin("erp_connections", (join) =>
      join
        .onRef("erp_connections.tenant_id", "=", "payments.tenant_id")
        .onRef("erp_connections.connection_id", "=", "payments.connection_id"),
    )
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
    .where("payments.payment_id", "=", paymentId);
}

/** Writes what is decided of a payment's receipt, which nobody is pushing. */
export async function writeManagedPayment(
  tx: Transaction,
  tenantId: string,
  paymentId: string,
  change: Updateable<PaymentRow>,
): Promise<void> {
  await tx
    .updateTable("payments")
    .set(change)
    .where("tenant_id", "=", tenantId)
    .where("payment_id", "=", paymentId)
    .execute();
}
