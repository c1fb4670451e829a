import { type Kysely, sql } from "kysely";

/** Of runs with the same window: those that read further than every later one. */
const STAIRS = `
  with read as (
    select tenant_id, sync_run_id, connection_id, pull_from, started_at, read_through, max(read_through) over (
      partition by tenant_id, connection_id, pull_from order by started_at desc, sync_run_id
      rows between unbounded preceding and 1 preceding) as read_since
    from sync_runs where read_through is not null
  ), stairs as (select * from read where read_since is null or read_through > read_since)`;

/**
 * Which runs still tell when an invoice was last read (last_synced_at), so that reading the figure and listing runs cost the
 * same however many runs there have been. A run that processes of the version before insert or end counts as one of them.
 * The same for the history of workflows. Rounds of work that one process does for all; how often in a row an ERP was away.
 */
const STATEMENTS = [
  "alter table sync_runs add column covers boolean not null default false",
  "alter table sync_runs alter column covers set default true",
  "alter table sync_runs no force row level security",
  "alter table invoices no force row level security",
  // What is missing was last read by a run that later ones may surpass.
  `update invoices as invoice set last_synced_at = greatest(invoice.last_synced_at,
     (select run.started_at from sync_runs as run
      where run.tenant_id = invoice.tenant_id and run.connection_id = invoice.connection_id
        and run.read_through >= invoice.erp_invoice_id and run.started_at < invoice.missing_since
        and (run.pull_from is null or run.pull_from <= invoice.invoice_date)
      order by run.started_at desc limit 1))
   where invoice.missing_since is not null and invoice.retired_at is null`,
  `${STAIRS}
   update sync_runs as run set covers = true from stairs
   where run.tenant_id = stairs.tenant_id and run.sync_run_id = stairs.sync_run_id
     and not exists (select from stairs as wider
       where wider.tenant_id = stairs.tenant_id and wider.connection_id = stairs.connection_id
         and wider.started_at > stairs.started_at and wider.read_through >= stairs.read_through
         and (wider.pull_from < stairs.pull_from or wider.pull_from is null and stairs.pull_from is not null))`,
  "update sync_runs set covers = true where status = 'running'",
  "alter table sync_runs force row level security",
  "alter table invoices force row level security",
  "drop index sync_runs_coverage",
  // Each run leaves a dead entry in the index of covering ones: they are vacuumed before they are many.
  "alter table sync_runs set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500)",
  "create index sync_runs_covering on sync_runs (tenant_id, connection_id, started_at) where covers",
  "create index sync_runs_of_connection on sync_runs (tenant_id, connection_id, started_at, sync_run_id)",
  "create index sync_runs_by_status on sync_runs (tenant_id, status, started_at, sync_run_id)",
  `create index sync_runs_of_connection_by_status on sync_runs
     (tenant_id, connection_id, status, started_at, sync_run_id)`,
  "create index workflow_executions_by_status on workflow_executions (tenant_id, status, started_at, workflow_execution_id)",
  "create index workflow_executions_of_workflow on workflow_executions (tenant_id, workflow_id, started_at, workflow_execution_id)",
  `create unlogged table job_rounds (
    job text primary key,
    worker_id uuid not null,
    lease_expires_at timestamptz(3),
    done_at timestamptz(3)
  )`,
  "grant select, insert, update, delete on job_rounds to receivables_system",
  "alter table erp_connections add column unreachable_runs integer not null default 0",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
