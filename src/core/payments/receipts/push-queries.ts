import type { Selectable } from "kysely";
import type { Transaction } from "../../../store/store.ts";
import type { ErpConnectionRow } from "../../../store/tables/erp.ts";
import type { InstallmentRow, InvoiceRow } from "../../../store/tables/invoices.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import type { TenantRow } from "../../../store/tables/workspace.ts";
import { UNCLAIMED } from "../../../store/work-queue.ts";
import type { ClaimedPush } from "./push-claim-queries.ts";

/** A push as it stands, with all that the ERP is to be told and where. */
export type PushRow = Pick<
  Selectable<PaymentRow>,
  | "erp_push_status"
  | "push_first_attempt_at"
  | "erp_receipt_id"
  | "amount"
  | "currency"
  | "paid_at"
  | "created_at"
  | "installment_id"
  | "erp_outstanding_before"
  | "erp_outstanding_read_at"
  | "receipt_round"
  | "push_anyway"
> &
  Pick<InvoiceRow, "erp_invoice_id" | "invoice_number" | "business_unit" | "customer_number" | "customer_site"> &
  Pick<
    ErpConnectionRow,
    | "connection_id"
    | "provider"
    | "base_url"
    | "address_reach"
    | "username"
    | "credential"
    | "apply_mode"
    | "receipt_method"
  > &
  Pick<TenantRow, "timezone"> & { erp_installment_id: InstallmentRow["erp_installment_id"] };

/** The push, locked after its invoice; undefined when the claim is not good any more. */
export function lockClaimedPush(tx: Transaction, push: ClaimedPush): Promise<PushRow | undefined> {
  return tx
    .selectFrom("payments")
    .innerJoin("tenants", "tenants.tenant_id", "payments.tenant_id")
    .innerJoin("invoices", (join) =>
      join
        .onRef("invoices.tenant_id", "=", "payments.tenant_id")
        .onRef("invoices.invoice_id", "=", "payments.invoice_id"),
    )
    .innerJoin("erp_connections", (join) =>
      join
        .onRef("erp_connections.tenant_id", "=", "invoices.tenant_id")
        .onRef("erp_connections.connection_id", "=", "invoices.connection_id"),
    )
    .leftJoin("installments", (join) =>
      join
        .onRef("installments.tenant_id", "=", "payments.tenant_id")
        .onRef("installments.installment_id", "=", "payments.installment_id"),
    )
    .select([
      "payments.erp_push_status",
      "payments.push_first_attempt_at",
      "payments.erp_receipt_id",
      "payments.amount",
      "payments.currency",
      "payments.paid_at",
      "payments.created_at",
      "payments.installment_id",
      "payments.erp_outstanding_before",
      "payments.erp_outstanding_read_at",
      "payments.receipt_round",
      "payments.push_anyway",
      "invoices.erp_invoice_id",
      "invoices.invoice_number",
      "invoices.business_unit",
      "invoices.customer_number",
      "invoices.customer_site",
      "installments.erp_installment_id",
      "erp_connections.connection_id",
      "erp_connections.provider",
      "erp_connections.base_url",
      "erp_connections.address_reach",
      "erp_connections.username",
      "erp_connections.credential",
      "erp_connections.apply_mode",
      "erp_connections.receipt_method",
      "tenants.timezone",
    ])
    .where("payments.tenant_id", "=", push.tenant_id)
    .where("payments.payment_id", "=", push.payment_id)
    .where("payments.claim_id", "=", push.claim_id)
    .forUpdate("payments")
    .executeTakeFirst();
}

/** Another payment of the same installment whose receipt may be in the ERP. */
export type OtherPushRow = Pick<
  Selectable<PaymentRow>,
  | "payment_id"
  | "amount"
  | "erp_push_status"
  | "erp_receipt_id"
  | "receipt_round"
  | "settled_by_hand_at"
  | "erp_outstanding_before"
  | "push_first_attempt_at"
  | "reflected_at"
  | "created_at"
>;

/** All that there are, in the order of their recording. */
export function otherPushes(
  tx: Transaction,
  push: ClaimedPush,
  { installment_id: installmentId }: Pick<PushRow, "installment_id">,
): Promise<OtherPushRow[]> {
  return tx
    .selectFrom("payments")
    .select([
      "payment_id",
      "amount",
      "erp_push_status",
      "erp_receipt_id",
      "receipt_round",
      "settled_by_hand_at",
      "erp_outstanding_before",
      "push_first_attempt_at",
      "reflected_at",
      "created_at",
    ])
    .where("tenant_id", "=", push.tenant_id)
    .where("invoice_id", "=", push.invoice_id)
    .where("installment_id", installmentId === null ? "is" : "=", installmentId)
    .where("payment_id", "<>", push.payment_id)
    .where("erp_push_status", "in", ["processing", "failed", "posted", "applied"])
    .orderBy("created_at")
    .orderBy("payment_id")
    .execute();
}

/** Notes that an attempt begins. */
export async function markAttempt(
  tx: Transaction,
  push: ClaimedPush,
  attempt: Pick<PaymentRow, "erp_push_status" | "push_first_attempt_at">,
): Promise<void> {
  await tx
    .updateTable("payments")
    .set(attempt)
    .where("tenant_id", "=", push.tenant_id)
    .where("payment_id", "=", push.payment_id)
    .execute();
}

/** Gives up whatever a claim holds, of any tenant, and has it tried again at `nextAttemptAt`; false when it is nothing. */
export async function releaseClaim(
  tx: Transaction,
  { claimId, nextAttemptAt }: { claimId: string; nextAttemptAt: string },
): Promise<boolean> {
  const result = await tx
    .updateTable("payments")
    .set({ ...UNCLAIMED, next_attempt_at: nextAttemptAt })
    .where("claim_id", "=", claimId)
    .where("lease_expires_at", "is not", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends every claim there is, of all tenants. */
export async function endEveryClaim(tx: Transaction): Promise<void> {
  await tx.updateTable("payments").set(UNCLAIMED).where("lease_expires_at", "is not", null).execute();
}

/** Notes on a connection how the ERP took a call with this credential, where that is news (completions §7). */
export async function noteContact(
  tx: Transaction,
  tenantId: string,
  { connection_id, credential }: Pick<ErpConnectionRow, "connection_id" | "credential">,
  status: ErpConnectionRow["status"],
): Promise<void> {
  await tx
    .updateTable("erp_connections")
    .set({ status })
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connection_id)
    .where("credential", "=", credential)
    .where("status", "not in", ["disconnected", status])
    .execute();
}
