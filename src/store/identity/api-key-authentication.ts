import { sql } from "kysely";
import type { Transaction } from "../store.ts";
import type { AttemptCounter } from "./failed-attempts.ts";

/** What one look at the store needs to know who calls and to count it. */
export interface KeyLookup {
  /** Null matches no key. */
  keyHash: string | null;
  now: string;
  /** The minute requests are counted in. */
  windowStart: string;
  /** Requests of one key beyond which they stop counting for the tenant; null for no limit. */
  keyLimit: number | null;
  attempts: AttemptCounter;
  /** Failures of an address above which further ones are not counted; a genuine key is found regardless. */
  attemptLimit: number;
  /** Whether finding no key is a failed attempt. */
  countsAsAttempt: boolean;
}

/** What was found, and every count as of this request. */
export interface KeySighting {
  /** Failures of the address before this request. */
  attempts_before: number;
  /** Failures with this one; null when it is not one. */
  attempts_after: number | null;
  /** Null, with everything below, when there is no such key. */
  tenant_id: string | null;
  key_id: string | null;
  permission: "admin" | "readonly" | null;
  key_name: string | null;
  tenant_name: string | null;
  /** The latest use before this one. */
  last_used_at: string | null;
  revoked_at: string | null;
  api_access: boolean | null;
  key_hits: number | null;
  /** Null when the key is revoked, over its own limit or of a tenant without access: such requests cost the tenant nothing. */
  tenant_hits: number | null;
}

/**
 * Finds a key by its hash, counts the request for key and tenant (or the failure for the address) and notes the use,
 * in one statement: exact across processes, and a revocation acts on the next call. Every request with a key that was not
 * revoked is a use, with any answer. For a system transaction.
 */
export async function sightKey(tx: Transaction, lookup: KeyLookup): Promise<KeySighting> {
  const { attempts } = lookup;
  const statement = sql<KeySighting>`
    with address as (
      -- Nobody waits for a disk to note a use: a server that crashes may forget those of its last second.
      select set_config('synchronous_commit', 'off', true), coalesce((
        select hits from attempt_windows where subject = ${attempts.subject} and window_start = ${attempts.windowStart}
      ), 0) as attempts
    ), found as (
      -- One row, locked once, so that requests of one key take turns and each finds the use before it. A lock taken before the
      -- update (for no key update) would be taken twice where another request came between, and could deadlock with a third.
      update api_keys key set
        previous_use_at = case when key.revoked_at is null then key.last_used_at else key.previous_use_at end,
        last_used_at = case when key.revoked_at is null then greatest(key.last_used_at, ${lookup.now}::timestamptz)
          else key.last_used_at end
      from address cross join tenants tenant
      where key.key_hash = ${lookup.keyHash} and tenant.tenant_id = key.tenant_id
      returning key.tenant_id, key.key_id, key.permission, key.revoked_at, tenant.api_access,
        key.name as key_name, tenant.name as tenant_name,
        case when key.revoked_at is null then key.previous_use_at else key.last_used_at end as last_used_at
    ), failed as (
      insert into attempt_windows (subject, window_start, hits)
      select ${attempts.subject}, ${attempts.windowStart}::timestamptz, 1 from address
      where ${lookup.countsAsAttempt}::boolean and attempts < ${lookup.attemptLimit}::int and not exists (select from found)
      on conflict (subject, window_start) do update set hits = attempt_windows.hits + 1
      returning hits
    ), key_count as (
      insert into rate_windows (tenant_id, subject, window_start, hits)
      select tenant_id, 'key:' || key_id, ${lookup.windowStart}::timestamptz, 1 from found
      on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + 1
      returning hits
    ), tenant_count as (
      insert into rate_windows (tenant_id, subject, window_start, hits)
      select tenant_id, 'keys', ${lookup.windowStart}::timestamptz, 1 from found cross join key_count
      where revoked_at is null and api_access and (${lookup.keyLimit}::int is null or key_count.hits <= ${lookup.keyLimit}::int)
      on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + 1
      returning tenant_id, hits
    )
    select address.attempts as attempts_before, failed.hits as attempts_after, found.*,
      key_count.hits as key_hits, tenant_count.hits as tenant_hits
    from address left join failed on true left join found on true left join key_count on true left join tenant_count on true`;
  const { rows } = await statement.execute(tx);
  const [sighting] = rows;
  if (sighting === undefined) throw new Error("a sighting is one row");
  return sighting;
}
