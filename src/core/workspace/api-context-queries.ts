import type { Transaction } from "../../store/store.ts";
import type { ApiKeyRow } from "../../store/tables/identity.ts";
import type { ApiKeyActor } from "../gate/actor.ts";

type ApiContextRecord = Pick<ApiKeyRow, "name" | "permission" | "created_at" | "last_used_at"> & {
  tenant_name: string;
};

/** The workspace and key a call comes with; undefined when the key is gone. */
export function apiContextOf(tx: Transaction, { tenantId, keyId }: ApiKeyActor): Promise<ApiContextRecord | undefined> {
  return tx
    .selectFrom("api_keys as key")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "key.tenant_id")
    .select(["tenant.name as tenant_name", "key.name", "key.permission", "key.created_at", "key.last_used_at"])
    .where("key.tenant_id", "=", tenantId)
    .where("key.key_id", "=", keyId)
    .executeTakeFirst();
}
