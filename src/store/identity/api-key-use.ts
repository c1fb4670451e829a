import { sql } from "kysely";
import type { Store } from "../store.ts";
import { here } from "../tenancy/here.ts";
import { counting, countRequests } from "./counted-requests.ts";

/** What one look at the store needs to know who calls and to count it. */
interface KeyLookup {
  /** The one that the key says, or the directory. */
  tenantId: string;
  keyHash: string;
  now: string;
  /** The minute requests are counted in. */
  windowStart: string;
  /** Requests of one key beyond which they stop counting for the tenant; null for no limit. */
  keyLimit: number | null;
}

/** What was found, and every count as of this request. */
export interface KeySighting {
  tenant_id: string;
  key_id: string;
  permission: "admin" | "readonly";
  key_name: string;
  tenant_name: string;
  /** The latest use before this one. */
  last_used_at: string | null;
  revoked_at: string | null;
  api_access: boolean;
  key_hits: number;
  /** Null when the key is revoked, over its own limit or of a tenant without access: such requests cost the tenant nothing. */
  tenant_hits: number | null;
}

/** The key as a use of it leaves it. */
type FoundKey = Omit<KeySighting, "key_hits" | "tenant_hits">;

/** Finds a key and notes the use. */
const found = ({ tenantId, keyHash, now }: KeyLookup) => sql<FoundKey>`
  -- One row, locked once, so that requests of one key take turns and each finds the use before it. A lock taken before the
  -- update (for no key update) would be taken twice where another request came between, and could deadlock with a third.
  -- Nobody waits for a disk to note a use: a server that crashes may forget those of its last second.
  update api_keys key set
    previous_use_at = case when key.revoked_at is null then key.last_used_at else key.previous_use_at end,
    last_used_at = case when key.revoked_at is null then greatest(key.last_used_at, ${now}::timestamptz)
      else key.last_used_at end
  from (select set_config('synchronous_commit', 'off', true)) as quick cross join tenants tenant
  where key.tenant_id = ${tenantId}::uuid and key.key_hash = ${keyHash} and tenant.tenant_id = ${tenantId}::uuid
  returning key.tenant_id, key.key_id, key.permission, key.revoked_at, tenant.api_access,
    key.name as key_name, tenant.name as tenant_name,
    case when key.revoked_at is null then key.previous_use_at else key.last_used_at end as last_used_at`;

/**
 * Finds a key of a tenant by its hash, counts the request for key and tenant and notes the use, in one statement, or in a statement for
 * each where tenants lie on workers: exact across processes, and a revocation acts on the next call. Every request with a key that was
 * not revoked is a use, with any answer. Undefined where there is no such key.
 */
export async function sightKey(store: Store, lookup: KeyLookup): Promise<KeySighting | undefined> {
  if (store.isDistributed) return sightInParts(store, lookup);
  const { tenantId } = lookup;
  const statement = sql<KeySighting>`
    with found as (
      ${found(lookup)}
    ), key_count as (${counting(sql`
      select here.tenant_id, 'key:' || key_id, ${lookup.windowStart}::timestamptz, 1 from found cross join ${here(tenantId)}`)}
    ), tenant_count as (${counting(sql`
      select here.tenant_id, 'keys', ${lookup.windowStart}::timestamptz, 1
      from found cross join key_count cross join ${here(tenantId)}
      where revoked_at is null and api_access and (${lookup.keyLimit}::int is null or key_count.hits <= ${lookup.keyLimit}::int)`)}
    )
    select found.*, key_count.hits as key_hits, tenant_count.hits as tenant_hits
    from found cross join key_count left join tenant_count on true`;
  return (await store.statement((tx) => statement.execute(tx))).rows[0];
}

async function sightInParts(store: Store, lookup: KeyLookup): Promise<KeySighting | undefined> {
  const [key] = (await store.statement((tx) => found(lookup).execute(tx))).rows;
  if (key === undefined) return undefined;
  const { own, shared } = await countRequests(store, {
    tenantId: lookup.tenantId,
    subject: `key:${key.key_id}`,
    shared: key.revoked_at === null && key.api_access ? "keys" : null,
    minute: lookup.windowStart,
    requests: 1,
    limit: lookup.keyLimit,
  });
  return { ...key, key_hits: own, tenant_hits: shared };
}
