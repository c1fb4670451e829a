import { sql } from "kysely";
import type { Transaction } from "./store.ts";

/** What waits to be done in all workspaces together, named by no one of them. */
export interface Backlog {
  /** Seconds since the piece of work that is due longest became due; 0 where none is. */
  readonly queues: readonly { queue: string; oldestSeconds: number }[];
  /** `held` and `failed` wait for a person, `queued` and `retried` for the ERP. */
  readonly receipts: readonly { state: "held" | "failed" | "queued" | "retried"; count: number }[];
  readonly connections: readonly { status: string; count: number }[];
  /** Since the last successful pull of the connection furthest behind, of those that are pulled by schedule. */
  readonly oldestSyncSeconds: number | null;
}

/** Reads the backlog at `now`; each figure comes from an index of the few rows that wait. */
export async function readBacklog(tx: Transaction, now: string): Promise<Backlog> {
  const [{ rows: queues }, { rows: receipts }, { rows: connections }, { rows: oldest }] = [
    await sql<{ queue: string; seconds: string }>`
      with oldest (queue, since) as (
        select 'sync_runs', min(started_at) from sync_runs where status = 'running' and claim_id is null
        union all
        select 'receipts', min(coalesce(next_attempt_at, created_at)) from payments
        where (erp_push_status in ('pending', 'processing') or push_retryable)
          and not push_put_off
          and (lease_expires_at is null or lease_expires_at <= ${now})
        union all
        select 'payment_links', min(coalesce(lease_expires_at, next_attempt_at)) from payment_links where state = 'reserved' or withdrawal_due
        union all
        select 'link_emails', min(next_attempt_at) from link_emails where status = 'scheduled'
        union all
        select 'mails', min(next_attempt_at) from outgoing_mails where status = 'queued'
        union all
        select 'workflows', min(greatest(coalesce(lease_expires_at, next_attempt_at), queued_at)) from workflow_work
      )
      select queue, greatest(0, coalesce(extract(epoch from ${now}::timestamptz - since), 0))::text as seconds
      from oldest`.execute(tx),
    await sql<{ state: Backlog["receipts"][number]["state"]; count: string }>`
      select state, count(payment.payment_id) as count
      from (values ('held'), ('failed'), ('queued'), ('retried')) as states (state)
      left join payments as payment on state = case
          when payment.push_retryable then 'retried'
          when payment.erp_push_status in ('pending', 'processing') then 'queued'
          else payment.erp_push_status end
        and (payment.erp_push_status in ('held', 'failed', 'pending', 'processing') or payment.push_retryable)
      group by state`.execute(tx),
    await sql<{ status: string; count: string }>`
      select status, count(*) as count from erp_connections where status <> 'disconnected' group by status`.execute(tx),
    await sql<{ seconds: string | null }>`
      select extract(epoch from ${now}::timestamptz
        - min(coalesce(last_successful_sync_at, created_at)))::text as seconds
      from erp_connections where auto_sync_enabled and sync_enabled and status <> 'disconnected'`.execute(tx),
  ];
  const behind = oldest[0]?.seconds ?? null;
  return {
    queues: queues.map(({ queue, seconds }) => ({ queue, oldestSeconds: Number(seconds) })),
    receipts: receipts.map(({ state, count }) => ({ state, count: Number(count) })),
    connections: connections.map(({ status, count }) => ({ status, count: Number(count) })),
    oldestSyncSeconds: behind === null ? null : Number(behind),
  };
}
