import { sql } from "kysely";
import type { Shards } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow, SyncRunRow } from "../../store/tables/erp.ts";
import { isConnected } from "../erp-access/connection-status-queries.ts";

/** A run and whose it is. */
export type RunKey = Pick<SyncRunRow, "tenant_id" | "sync_run_id">;

/** A change of a run. */
export const changeRun = (tx: Transaction, { tenant_id, sync_run_id }: RunKey) =>
  tx.updateTable("sync_runs").where((column) => column.and({ tenant_id, sync_run_id }));

/** Inserts a running run; false when the connection has one in flight (service.md §3.5). */
export async function insertRun(
  tx: Transaction,
  run: Pick<SyncRunRow, "tenant_id" | "sync_run_id" | "connection_id" | "trigger" | "started_at" | "pull_from">,
) {
  const inserted = await tx
    .insertInto("sync_runs")
    .values({
      ...run,
      status: "running",
      finished_at: null,
      read_through: null,
      error_code: null,
      error_reason: null,
    })
    .onConflict((conflict) =>
      // A literal: a generic plan would not use the partial index of running runs.
      conflict.columns(["tenant_id", "connection_id"]).where("status", "=", sql.lit("running")).doNothing(),
    )
    .returning("sync_run_id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The run of a connection that is in flight, if any. */
export function runInFlight(tx: Transaction, tenantId: string, connectionId: string) {
  return tx
    .selectFrom("sync_runs")
    .select(["tenant_id", "sync_run_id"])
    .where((column) => column.and({ tenant_id: tenantId, connection_id: connectionId, status: "running" }))
    .executeTakeFirst();
}

/** A run that waits for a process to claim it, with what that counts shares by. */
export interface UnledRun extends RunKey {
  /** The host, with its port, that its connection is reached at. */
  erp_host: string;
}

/** How much of one kind a process may work on at once, and what it already works on. */
export interface ClaimShares {
  /** Most runs at one host, and of one workspace. */
  readonly most: number;
  /** The host and the tenant of each run in progress. */
  readonly hosts: readonly string[];
  readonly tenants: readonly string[];
}

export interface RunSearch {
  readonly limit: number;
  /** A later start came from a wrong clock: such a run comes first. */
  readonly farthest: string;
  readonly shares: ClaimShares;
}

/** A person waits for a manual run, so it counts as older by this much. */
const MANUAL_AHEAD = sql`interval '1 minute'`;

/**
 * Up to `limit` reserved runs of all tenants to be claimed, in the order for it. Workspaces take turns, at each host too, the oldest
 * run of each first. Runs of a workspace or at a host that has its share have no rank: they stand before no other.
 */
export async function unledRuns(tx: Transaction, shards: Shards, search: RunSearch) {
  const { most, hosts, tenants } = search.shares;
  const { rows } = await sql<UnledRun>`
    with waiting as materialized (
      select run.tenant_id, run.sync_run_id,
        lower(coalesce(substring(connection.base_url from '^[a-z]+://([^/]+)'), connection.base_url)) as erp_host,
        case when run.started_at > ${search.farthest} then '-infinity'
          when run.trigger = 'manual' then run.started_at - ${MANUAL_AHEAD} else run.started_at end as since
      from sync_runs as run
      join erp_connections as connection
        on connection.tenant_id = run.tenant_id and connection.connection_id = run.connection_id
      where run.status = 'running' and run.claim_id is null and ${shards.has(sql.ref("run.tenant_id"))}
    ), held as (
      select waiting.*,
        (select count(*) from unnest(${tenants}::uuid[]) as held (tenant) where tenant = tenant_id) as of_tenant_now,
        (select count(*) from unnest(${hosts}::text[]) as held (host) where host = erp_host) as of_host_now
      from waiting
    ), by_tenant as (
      select held.*, of_tenant_now + row_number() over (partition by tenant_id order by since, sync_run_id) as of_tenant
      from held where of_tenant_now < ${most} and of_host_now < ${most}
    ), by_host as (
      select by_tenant.*,
        of_host_now + row_number() over (partition by erp_host order by of_tenant, since, sync_run_id) as of_host
      from by_tenant where of_tenant <= ${most}
    )
    select tenant_id, sync_run_id, erp_host from by_host
    where of_host <= ${most} order by greatest(of_tenant, of_host), since limit ${search.limit}`.execute(tx);
  return rows;
}

/** Claims one reserved run; undefined when it is claimed already or has ended. */
export function claimUnledRun(tx: Transaction, run: RunKey, lease: { claimId: string; expiresAt: string }) {
  return changeRun(tx, run)
    .set({ claim_id: lease.claimId, lease_expires_at: lease.expiresAt })
    .where("status", "=", "running")
    .where("claim_id", "is", null)
    .returning(["tenant_id", "sync_run_id", "connection_id", "started_at", "pull_from", "claim_id"])
    .executeTakeFirst();
}

/** Locks a run that is running under the claim; false when it is not. */
export async function lockLedRun(
  tx: Transaction,
  { tenant_id, sync_run_id, claim_id }: RunKey & { claim_id: string | null },
) {
  const row = await tx
    .selectFrom("sync_runs")
    .select("sync_run_id")
    .where((column) => column.and({ tenant_id, sync_run_id, claim_id, status: "running" }))
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** What a page adds to its run. */
interface RunProgress {
  readThrough: string | null;
  read: number;
  created: number;
  updated: number;
  setAside: number;
  leaseUntil: string;
}

/** Answers how many invoices the run has created and set aside in all. */
export function addProgress(tx: Transaction, run: RunKey, progress: RunProgress) {
  return changeRun(tx, run)
    .set((column) => ({
      read_through: progress.readThrough ?? column.ref("read_through"),
      invoices_read: column("invoices_read", "+", progress.read),
      invoices_created: column("invoices_created", "+", progress.created),
      invoices_updated: column("invoices_updated", "+", progress.updated),
      invoices_set_aside: column("invoices_set_aside", "+", progress.setAside),
      lease_expires_at: progress.leaseUntil,
    }))
    .returning(["invoices_created as created", "invoices_updated as updated", "invoices_set_aside as setAside"])
    .executeTakeFirstOrThrow();
}

/** An ERP that does not answer is asked less and less often: at the least every two hours, or at its own longer interval. */
const LONGEST_PAUSE_MINUTES = 120;

/**
 * Connections of all tenants whose interval has passed since their last run finished (service.md §2.2). It doubles with each
 * run in a row, from the second on, that the ERP did not answer. The first pull of one that works is due at once. A time beyond `farthest` came from a wrong clock.
 */
export async function dueConnections(
  tx: Transaction,
  shards: Shards,
  { now, farthest }: { now: string; farthest: string },
) {
  const { rows } = await sql<Pick<ErpConnectionRow, "tenant_id" | "connection_id">>`
    select connection.tenant_id, connection.connection_id from erp_connections as connection
    where connection.auto_sync_enabled and connection.sync_enabled and ${isConnected("connection")}
      and ${shards.has(sql.ref("connection.tenant_id"))}
      and (connection.last_sync_at > ${farthest}
        or connection.last_sync_at is null and connection.status = 'connected' or coalesce(connection.last_sync_at, connection.created_at)
        + least(connection.auto_sync_interval_minutes * (1 << least(greatest(connection.unreachable_runs - 1, 0), 8)),
            greatest(connection.auto_sync_interval_minutes, ${LONGEST_PAUSE_MINUTES})) * interval '1 minute' <= ${now})
      and not exists (
        select from sync_runs as run
        where run.tenant_id = connection.tenant_id and run.connection_id = connection.connection_id
          and run.status = 'running')
    order by connection.last_sync_at nulls first`.execute(tx);
  return rows;
}
