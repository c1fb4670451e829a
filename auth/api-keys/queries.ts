import type { Insertable } from "kysely";
import { MOST_ENDED } from "../../src/core/gate/ended-access.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { ApiKeyRow } from "../../src/store/tables/identity.ts";

/** The columns of a key that may be shown. */
const SHOWN = ["key_id as id", "name", "permission", "created_at", "last_used_at", "revoked_at"] as const;

/** Inserts a key; false if the id is in use. */
export async function insertApiKey(tx: Transaction, row: Insertable<ApiKeyRow>): Promise<boolean> {
  const inserted = await tx
    .insertInto("api_keys")
    .values(row)
    .onConflict((conflict) => conflict.columns(["tenant_id", "key_id"]).doNothing())
    .returning("key_id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** All live keys, newest first, and the latest of those that were revoked. */
export async function selectApiKeys(tx: Transaction, tenantId: string) {
  const keys = tx.selectFrom("api_keys").select(SHOWN).where("tenant_id", "=", tenantId);
  const [live, ended] = [keys.where("revoked_at", "is", null), keys.where("revoked_at", "is not", null)];
  return [
    ...(await live.orderBy("created_at", "desc").orderBy("key_id").execute()),
    ...(await ended.orderBy("revoked_at", "desc").orderBy("key_id").limit(MOST_ENDED).execute()),
  ];
}

/** Revokes a key after the mutations that run on its authority have ended; undefined if it does not exist. */
export async function tombstoneApiKey(
  tx: Transaction,
  { tenantId, keyId, now }: { tenantId: string; keyId: string; now: string },
) {
  // An update alone would not wait for them (src/store/identity/authority.ts).
  const before = await tx
    .selectFrom("api_keys")
    .select("revoked_at")
    .where((column) => column.and({ tenant_id: tenantId, key_id: keyId }))
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) return undefined;
  const key = await tx
    .updateTable("api_keys")
    .set(({ fn, ref, val }) => ({ revoked_at: fn.coalesce(ref("revoked_at"), val(now)) }))
    .where((column) => column.and({ tenant_id: tenantId, key_id: keyId }))
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
  return { key, wasRevoked: before.revoked_at !== null };
}
