import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { RunKey, RunToLead } from "./lifecycle-queries.ts";

/** A claimed run, with what its process counts shares by. */
export type ClaimedRun = RunToLead & {
  /** The host, with its port, that its connection is reached at. */
  erp_host: string;
  /** Whether the connection's ERP did not answer the last time. */
  is_unreachable: boolean;
};

/** How much of one kind a process may work on at once, and what it already works on. */
export interface ClaimShares {
  /** Most runs at one host, of one workspace, and of ERPs that did not answer, each. */
  readonly most: number;
  /** The host and the tenant of each run in progress, and how many of them wait for an ERP that did not answer. */
  readonly hosts: readonly string[];
  readonly tenants: readonly string[];
  readonly unreachable: number;
}

export interface Claim {
  readonly claimId: string;
  readonly expiresAt: string;
  readonly limit: number;
  /** A later start came from a wrong clock: such a run comes first. */
  readonly farthest: string;
  readonly shares: ClaimShares;
}

/** A person waits for a manual run, so it counts as older by this much. */
const MANUAL_AHEAD = sql`interval '1 minute'`;

/**
 * Claims up to `limit` reserved runs of all tenants. Hosts and workspaces take turns, the oldest run of each first; runs
 * beyond their share wait.
 */
export async function claimUnledRuns(tx: Transaction, claim: Claim): Promise<ClaimedRun[]> {
  const { most, hosts, tenants, unreachable } = claim.shares;
  const { rows } = await sql<ClaimedRun>`
    with waiting as (
      select run.tenant_id, run.sync_run_id, connection.unreachable_runs > 0 as is_unreachable,
        lower(coalesce(substring(connection.base_url from '^[a-z]+://([^/]+)'), connection.base_url)) as erp_host,
        case when run.started_at > ${claim.farthest} then '-infinity'
          when run.trigger = 'manual' then run.started_at - ${MANUAL_AHEAD} else run.started_at end as since
      from sync_runs as run
      join erp_connections as connection
        on connection.tenant_id = run.tenant_id and connection.connection_id = run.connection_id
      where run.status = 'running' and run.claim_id is null
    ), ranked as (
      select waiting.*,
        row_number() over (partition by erp_host order by since, sync_run_id)
          + (select count(*) from unnest(${hosts}::text[]) as held (host) where host = erp_host) as of_host,
        row_number() over (partition by waiting.tenant_id order by since, sync_run_id)
          + (select count(*) from unnest(${tenants}::uuid[]) as held (tenant) where tenant = tenant_id) as of_tenant,
        row_number() over (partition by is_unreachable order by since, sync_run_id) + ${unreachable}::int as of_unreachable
      from waiting
    ), taken as (
      select run.tenant_id, run.sync_run_id, ranked.erp_host, ranked.is_unreachable
      from ranked
      join sync_runs as run on run.tenant_id = ranked.tenant_id and run.sync_run_id = ranked.sync_run_id
      where run.status = 'running' and run.claim_id is null
        and ranked.of_host <= ${most} and ranked.of_tenant <= ${most}
        and (not ranked.is_unreachable or ranked.of_unreachable <= ${most})
      order by greatest(ranked.of_host, ranked.of_tenant), ranked.since
      limit ${claim.limit} for update of run skip locked
    )
    update sync_runs as run set claim_id = ${claim.claimId}, lease_expires_at = ${claim.expiresAt}
    from taken where run.tenant_id = taken.tenant_id and run.sync_run_id = taken.sync_run_id
    returning run.tenant_id, run.sync_run_id, run.connection_id, run.started_at, run.pull_from,
      taken.erp_host, taken.is_unreachable`.execute(tx);
  return rows;
}

/** Claims one reserved run; undefined when it is claimed already or has ended. */
export function claimUnledRun(tx: Transaction, run: RunKey, lease: { claimId: string; expiresAt: string }) {
  return tx
    .updateTable("sync_runs")
    .set({ claim_id: lease.claimId, lease_expires_at: lease.expiresAt })
    .where("tenant_id", "=", run.tenant_id)
    .where("sync_run_id", "=", run.sync_run_id)
    .where("status", "=", "running")
    .where("claim_id", "is", null)
    .returning(["tenant_id", "sync_run_id", "connection_id", "started_at", "pull_from"])
    .executeTakeFirst();
}
