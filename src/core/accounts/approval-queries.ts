import type { Transaction } from "../../store/store.ts";

/** A connection as its approver is told of it; no email once they were removed. */
export function connectionToTell(tx: Transaction, tenantId: string, connectionId: string) {
  return tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
    .leftJoin("members as member", (join) =>
      join
        .onRef("member.tenant_id", "=", "connection.tenant_id")
        .onRef("member.member_id", "=", "connection.member_id")
        .on("member.removed_at", "is", null),
    )
    .select(["connection.client_name", "connection.answered_at_host", "connection.scopes", "connection.created_at"])
    .select(["connection.revoked_at", "tenant.name as workspace_name", "tenant.timezone", "tenant.assistants"])
    .select("member.email")
    .where("connection.tenant_id", "=", tenantId)
    .where("connection.connection_id", "=", connectionId)
    .executeTakeFirst();
}
