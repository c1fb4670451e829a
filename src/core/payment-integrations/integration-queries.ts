import type { Transaction } from "../../store/store.ts";
import type { PaymentIntegrationRow } from "../../store/tables.ts";

/** Keeps every writer of collection figures out until the transaction ends: what can be charged is about to change. */
export async function lockTenantFigures(tx: Transaction, tenantId: string): Promise<void> {
  await tx.selectFrom("tenants").select("tenant_id").where("tenant_id", "=", tenantId).forNoKeyUpdate().execute();
}

/** A tenant's integrations, oldest first. */
export function integrationsOf(tx: Transaction, tenantId: string): Promise<PaymentIntegrationRow[]> {
  return tx
    .selectFrom("payment_integrations")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .orderBy("created_at")
    .orderBy("payment_integration_id")
    .execute();
}

export async function insertIntegration(tx: Transaction, row: PaymentIntegrationRow): Promise<void> {
  await tx.insertInto("payment_integrations").values(row).execute();
}

export async function markIntegrationDisconnected(
  tx: Transaction,
  tenantId: string,
  paymentIntegrationId: string,
): Promise<void> {
  await tx
    .updateTable("payment_integrations")
    .set({ status: "disconnected" })
    .where("tenant_id", "=", tenantId)
    .where("payment_integration_id", "=", paymentIntegrationId)
    .execute();
}
