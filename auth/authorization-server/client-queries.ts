import { tenantsAt } from "../../src/store/identity/tenant-routes.ts";
import type { Transaction } from "../../src/store/store.ts";

/** Workspaces that are searched for an approval of a client; a client with more approvals has one among them. */
const MOST_ASKED = 20;

/** Whether any approval of a client is in force. */
export async function hasLiveConnection(tx: Transaction, clientId: string): Promise<boolean> {
  for (const tenantId of await tenantsAt(tx, { kind: "client", key: clientId }, MOST_ASKED)) {
    const row = await tx
      .selectFrom("assistant_connections")
      .select("connection_id")
      .where((column) => column.and({ tenant_id: tenantId, client_id: clientId, revoked_at: null }))
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}
