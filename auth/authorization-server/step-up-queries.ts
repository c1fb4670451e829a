import type { Transaction } from "../../src/store/store.ts";
import type { SignedIn } from "../sessions.ts";

/** A client that has been approved, by its redirect address, and who approved it. */
export interface AnsweredClient {
  who: SignedIn;
  clientId: string;
  answeredAtHost: string;
}

/** The live connections that a person has with a client, answered at that host; in every workspace their sign-in counts for. */
export function selectConnectionsWith(tx: Transaction, { who, clientId, answeredAtHost }: AnsweredClient) {
  return tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("members as member", (join) =>
      join
        .onRef("member.tenant_id", "=", "connection.tenant_id")
        .onRef("member.member_id", "=", "connection.member_id"),
    )
    .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
    .select([
      "connection.tenant_id",
      "connection.connection_id",
      "connection.member_id",
      "connection.scopes",
      "connection.created_at",
      "member.role",
      "tenant.assistants",
    ])
    .where("member.person_id", "=", who.personId)
    .where("member.removed_at", "is", null)
    .$if(who.tenantId !== null, (query) => query.where("member.tenant_id", "=", who.tenantId ?? ""))
    .where("connection.client_id", "=", clientId)
    .where("connection.answered_at_host", "=", answeredAtHost)
    .where("connection.revoked_at", "is", null);
}

/** Says what a connection has (space-separated), by an approval: what of it was given or taken on our page counts as before. */
export async function updateScopes(
  tx: Transaction,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
  scopes: string,
): Promise<void> {
  await tx
    .updateTable("assistant_connections")
    .set({ scopes })
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .execute();
}
