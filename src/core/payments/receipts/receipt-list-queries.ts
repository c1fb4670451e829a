import type { Selectable } from "kysely";
import type { Transaction } from "../../../store/store.ts";
import type { InvoiceRow } from "../../../store/tables/invoices.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";

/** What tells a payment's ERP connection from others; nulls without an ERP. */
export interface NamedErp {
  base_url: string | null;
  username: string | null;
}

/** `user@host` of an ERP connection; null without one. */
export function erpName({ base_url: url, username }: NamedErp): string | null {
  return url === null || username === null ? null : `${username}@${URL.parse(url)?.host ?? url}`;
}

/** A payment, and what became of its receipt. */
export type ListedReceipt = Pick<
  Selectable<PaymentRow>,
  | "payment_id"
  | "amount"
  | "currency"
  | "paid_at"
  | "erp_push_status"
  | "erp_receipt_number"
  | "erp_push_error"
  | "settled_by_hand_at"
  | "refunded_minor"
  | "disputed"
> &
  Pick<InvoiceRow, "invoice_number" | "customer_name"> &
  NamedErp;

/** The latest payments by when they were paid; of one receipt status, where it is given. */
export function latestReceipts(
  tx: Transaction,
  tenantId: string,
  { status, limit }: { status: NonNullable<PaymentRow["erp_push_status"]> | undefined; limit: number },
): Promise<ListedReceipt[]> {
  const query = tx
    .selectFrom("payments")
    .innerJoin("invoices", (join) =>
      join
        .onRef("invoices.tenant_id", "=", "payments.tenant_id")
        .onRef("invoices.invoice_id", "=", "payments.invoice_id"),
    )
    .leftJoin("erp_connections as connection", (join) =>
      join
        .onRef("connection.tenant_id", "=", "payments.tenant_id")
        .onRef("connection.connection_id", "=", "payments.connection_id"),
    )
    .select([
      "connection.base_url",
      "connection.username",
      "payments.payment_id",
      "invoices.invoice_number",
      "invoices.customer_name",
      "payments.amount",
      "payments.currency",
      "payments.paid_at",
      "payments.erp_push_status",
      "payments.erp_receipt_number",
      "payments.erp_push_error",
      "payments.settled_by_hand_at",
      "payments.refunded_minor",
      "payments.disputed",
    ])
    .where("payments.tenant_id", "=", tenantId)
    .orderBy("payments.paid_at", "desc")
    .orderBy("payments.payment_id")
    .limit(limit);
  return (status === undefined ? query : query.where("payments.erp_push_status", "=", status)).execute();
}
