import { preparedStatement } from "../../store/prepared.ts";
import type { Transaction } from "../../store/store.ts";
import type { ApiKeyActor, AssistantActor } from "../gate/actor.ts";

interface ContextRecord {
  tenant_name: string;
  timezone: string;
  email: string;
  name: string | null;
  client_name: string;
  created_at: string;
  last_used_at: string | null;
}

const CONTEXT = preparedStatement<{ tenantId: string; connectionId: string; memberId: string }, ContextRecord>(
  (db, value) =>
    db
      .selectFrom("assistant_connections as connection")
      .innerJoin("members as member", "member.member_id", "connection.member_id")
      .crossJoin("tenants as tenant")
      .select([
        "tenant.name as tenant_name",
        "tenant.timezone",
        "member.email",
        "member.name",
        "connection.client_name",
        "connection.created_at",
        "connection.last_used_at",
      ])
      .where("connection.tenant_id", "=", value("tenantId"))
      .where("connection.connection_id", "=", value("connectionId"))
      .where("connection.member_id", "=", value("memberId"))
      .compile(),
);

/** Names and times of the workspace, person and connection a call comes from; undefined when one of them is gone. */
export async function contextOf(tx: Transaction, { tenantId, connectionId, memberId }: AssistantActor) {
  const [found] = await CONTEXT(tx, { tenantId, connectionId, memberId });
  return found;
}

/** The workspace and key a call comes with; undefined when the key is gone. */
export function apiContextOf(tx: Transaction, { tenantId, keyId }: ApiKeyActor) {
  return tx
    .selectFrom("api_keys as key")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "key.tenant_id")
    .select(["tenant.name as tenant_name", "key.name", "key.permission", "key.created_at", "key.last_used_at"])
    .where("key.tenant_id", "=", tenantId)
    .where("key.key_id", "=", keyId)
    .executeTakeFirst();
}
