import type { Transaction } from "../../store/store.ts";
import type { MemberActor } from "../actor.ts";

interface ContextRecord {
  tenant_name: string;
  timezone: string;
  email: string;
  name: string | null;
  client_name: string;
  created_at: string;
  last_used_at: string | null;
}

/** Names and times of the workspace, person and connection a call comes from; undefined when one of them is gone. */
export function contextOf(tx: Transaction, actor: MemberActor): Promise<ContextRecord | undefined> {
  return tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
    .innerJoin("members as member", (join) =>
      join
        .onRef("member.tenant_id", "=", "connection.tenant_id")
        .onRef("member.member_id", "=", "connection.member_id"),
    )
    .innerJoin("people as person", "person.person_id", "member.person_id")
    .select([
      "tenant.name as tenant_name",
      "tenant.timezone",
      "person.email",
      "person.name",
      "connection.client_name",
      "connection.created_at",
      "connection.last_used_at",
    ])
    .where("connection.tenant_id", "=", actor.tenantId)
    .where("connection.connection_id", "=", actor.connectionId)
    .where("connection.member_id", "=", actor.memberId)
    .executeTakeFirst();
}
