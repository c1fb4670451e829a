import { sql } from "kysely";
import type { Shards } from "./shards.ts";
import type { Transaction } from "./store.ts";

/** What waits to be done in all workspaces together, named by no one of them. */
export interface Backlog {
  /** Seconds since the piece of work that waits longest was wanted; 0 where none is. */
  readonly queues: readonly { queue: string; oldestSeconds: number }[];
  /** `held` and `failed` wait for a person, `queued` and `retried` for the ERP. */
  readonly receipts: readonly { state: "held" | "failed" | "queued" | "retried"; count: number }[];
  readonly connections: readonly { status: string; count: number }[];
  /** Since the last successful pull of the connection furthest behind, of those that are pulled by schedule. */
  readonly oldestSyncSeconds: number | null;
}

/** The queues, since when their oldest piece is wanted, whether or not it waits for another attempt, and which rows they are. */
const QUEUES = [
  ["sync_runs", sql`started_at`, sql`status = 'running' and claim_id is null`],
  [
    "payments",
    sql`coalesce(push_first_attempt_at, next_attempt_at, created_at)`,
    sql`(erp_push_status in ('pending', 'processing') or push_retryable) and not push_put_off`,
  ],
  ["payment_links", sql`coalesce(deactivated_at, paid_at, created_at)`, sql`(state = 'reserved' or withdrawal_due)`],
  ["link_emails", sql`send_at`, sql`status = 'scheduled' and next_attempt_at is not null`],
  ["outgoing_mails", sql`created_at`, sql`status = 'queued'`],
  ["workflow_work", sql`queued_at`, sql`true`],
] as const;

/** What a queue is called where it is not by its table. */
const NAMES: Readonly<Record<string, string>> = {
  payments: "receipts",
  outgoing_mails: "mails",
  workflow_work: "workflows",
};

const RECEIPT_STATES = ["held", "failed", "queued", "retried"] as const;

/** Reads the backlog at `now`; each figure comes from an index of the few rows that wait. */
export async function readBacklog(tx: Transaction, shards: Shards, now: string): Promise<Backlog> {
  const here = shards.has(sql.ref("tenant_id"));
  const queues: Backlog["queues"][number][] = [];
  for (const [table, since, isWaiting] of QUEUES) {
    const isFree = table === "payments" ? sql`(lease_expires_at is null or lease_expires_at <= ${now})` : sql`true`;
    const { rows } = await sql<{ seconds: string | null }>`
      select extract(epoch from ${now}::timestamptz - min(${since}))::text as seconds
      from ${sql.table(table)} where ${isWaiting} and ${isFree} and ${here}`.execute(tx);
    queues.push({ queue: NAMES[table] ?? table, oldestSeconds: Math.max(0, Number(rows[0]?.seconds ?? 0)) });
  }
  const { rows: receipts } = await sql<{ state: Backlog["receipts"][number]["state"]; count: string }>`
    select case when push_retryable then 'retried' when erp_push_status in ('pending', 'processing') then 'queued'
      else erp_push_status end as state, count(*) as count
    from payments
    where (erp_push_status in ('held', 'failed', 'pending', 'processing') or push_retryable) and ${here}
    group by 1`.execute(tx);
  const { rows: connections } = await sql<{ status: string; count: string }>`
    select status, count(*) as count from erp_connections where status <> 'disconnected' and ${here} group by status`.execute(
    tx,
  );
  const { rows: oldest } = await sql<{ seconds: string | null }>`
    select extract(epoch from ${now}::timestamptz - min(coalesce(last_successful_sync_at, created_at)))::text as seconds
    from erp_connections where auto_sync_enabled and sync_enabled and status <> 'disconnected' and ${here}`.execute(tx);
  const behind = oldest[0]?.seconds ?? null;
  const counted = new Map(receipts.map(({ state, count }) => [state, Number(count)]));
  return {
    queues,
    receipts: RECEIPT_STATES.map((state) => ({ state, count: counted.get(state) ?? 0 })),
    connections: connections.map(({ status, count }) => ({ status, count: Number(count) })),
    oldestSyncSeconds: behind === null ? null : Number(behind),
  };
}
