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

/** What callers see of a tenant's integrations, unordered. */
export function integrationsQuery(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("payment_integrations")
    .select(["payment_integration_id", "provider", "status", "currencies", "created_at"])
    .where("tenant_id", "=", tenantId);
}

/** Integrations of a provider by their own id or their workspace's, newest first; for a system transaction. */
export function findIntegrations(
  tx: Transaction,
  provider: PaymentIntegrationRow["provider"],
  id: string,
): Promise<PaymentIntegrationRow[]> {
  return tx
    .selectFrom("payment_integrations")
    .selectAll()
    .where("provider", "=", provider)
    .where((eb) => eb.or([eb("payment_integration_id", "=", id), eb("tenant_id", "=", id)]))
    .orderBy("created_at", "desc")
    .orderBy("payment_integration_id")
    .execute();
}

export async function insertIntegration(tx: Transaction, row: PaymentIntegrationRow): Promise<void> {
  await tx.insertInto("payment_integrations").values(row).execute();
}

/** Disconnects an integration; `secrets` are what is still kept of its keys. */
export async function markIntegrationDisconnected(
  tx: Transaction,
  tenantId: string,
  paymentIntegrationId: string,
  secrets: string | null,
): Promise<void> {
  await tx
    .updateTable("payment_integrations")
    .set({ status: "disconnected", secrets })
    .where("tenant_id", "=", tenantId)
    .where("payment_integration_id", "=", paymentIntegrationId)
    .execute();
}
