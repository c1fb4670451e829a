import { sql } from "kysely";
import type { ErpReason } from "../../erp-reasons.ts";
import type { Shards } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import type { SyncRunRow, WouldRetire } from "../../store/tables/erp.ts";
import { UNCLAIMED } from "../../store/work-queue.ts";
import { changeRun, type RunKey } from "./claim-queries.ts";

/** Ends a run whose ERP was read to the end; `retired` invoices were not found any more. */
export async function markSucceeded(tx: Transaction, run: RunKey, retired: number, at: string) {
  const set = { status: "succeeded", finished_at: at, read_through: "Infinity", invoices_retired: retired } as const;
  await changeRun(tx, run)
    .set({ ...set, ...UNCLAIMED })
    .execute();
  await supersedeRuns(tx, run);
}

/** Why a run failed: one of the codes of completions §4, and what exactly happened, or what it holds back. */
export interface RunFailure {
  code: NonNullable<SyncRunRow["error_code"]>;
  reason: ErpReason | null;
  wouldRetire?: WouldRetire;
}

/** A run is lost when its lease ended before `now`, or ends beyond `farthest`, which only a wrong clock sets. */
export interface Lost {
  readonly now: string;
  readonly farthest: string;
}

/** Any run where `lost` is null. */
const isLost = (lost: Lost | null) =>
  lost === null
    ? sql<boolean>`true`
    : sql<boolean>`(lease_expires_at < ${lost.now} or lease_expires_at > ${lost.farthest})`;

/** Fails a running run, or only one that is lost; false when there is nothing to fail. */
export async function markFailed(
  tx: Transaction,
  run: RunKey,
  failure: RunFailure,
  at: string,
  lost: Lost | null = null,
) {
  const held = { would_retire: JSON.stringify(failure.wouldRetire), retirement: "held" } as const;
  const result = await changeRun(tx, run)
    .set({
      status: "failed",
      finished_at: at,
      error_code: failure.code,
      error_reason: failure.reason,
      ...(failure.wouldRetire && held),
      ...UNCLAIMED,
      covers: sql<boolean>`read_through is not null`,
    })
    .where("status", "=", "running")
    .where(isLost(lost))
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await supersedeRuns(tx, run);
  return true;
}

/** Running runs of all tenants: the lost ones, or every one when `lost` is null. */
export function abandonedRuns(tx: Transaction, shards: Shards, lost: Lost | null) {
  return (
    tx
      .selectFrom("sync_runs")
      .select(["tenant_id", "sync_run_id", "connection_id"])
      .where(shards.has(sql.ref("tenant_id")))
      // A literal: a generic plan would not use the partial index of running runs.
      .where("status", "=", sql.lit("running"))
      .where(isLost(lost))
      .execute()
  );
}

/**
 * Marks the earlier runs of the connection that a run covers: those that began before it and read no further id and no older
 * invoices. They no longer give any invoice its `last_synced_at` (service.md §2.3). The caller holds the connection's lock.
 */
async function supersedeRuns(tx: Transaction, run: Pick<SyncRunRow, "tenant_id" | "sync_run_id">) {
  await sql`update sync_runs as earlier set covers = false from sync_runs as run
    where run.tenant_id = ${run.tenant_id} and run.sync_run_id = ${run.sync_run_id}
      and earlier.tenant_id = ${run.tenant_id} and earlier.connection_id = run.connection_id
      and earlier.covers and earlier.sync_run_id <> run.sync_run_id and earlier.started_at <= run.started_at
      and (earlier.read_through is null or earlier.read_through <= run.read_through)
      and (earlier.read_through is null or run.pull_from is null or run.pull_from <= earlier.pull_from)`.execute(tx);
}

/** Connections, not disconnected, whose last complete pull waits for a person to say that its missing invoices are gone. */
export function heldRetirements(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("sync_runs as run")
    .innerJoin("erp_connections as connection", (join) =>
      join.onRef("connection.connection_id", "=", "run.connection_id").on("connection.tenant_id", "=", tenantId),
    )
    .select(["run.sync_run_id", "run.connection_id"])
    .select(sql<WouldRetire>`run.would_retire`.as("would_retire"))
    .where("run.tenant_id", "=", tenantId)
    .where("run.retirement", "=", "held")
    .where("connection.status", "<>", "disconnected")
    .orderBy("run.finished_at")
    .execute();
}

export type HeldRetirement = Awaited<ReturnType<typeof heldRetirements>>[number];

/** Notes that a person confirmed what a held run found missing; undefined where it is not held, or not any more. */
export function confirmHeld(tx: Transaction, run: RunKey & Pick<SyncRunRow, "connection_id">) {
  const { tenant_id, sync_run_id, connection_id } = run;
  return tx
    .updateTable("sync_runs")
    .set({ retirement: "confirmed" })
    .where((column) => column.and({ tenant_id, sync_run_id, connection_id, retirement: "held" }))
    .returning(sql<WouldRetire>`would_retire`.as("would_retire"))
    .executeTakeFirst();
}

/** Ends what earlier runs of the connection hold, and with `all` what was confirmed too: a later pull has told how it is now. */
export async function settleHeld(
  tx: Transaction,
  { tenant_id, connection_id }: Pick<SyncRunRow, "tenant_id" | "connection_id">,
  { all }: { all: boolean },
) {
  await tx
    .updateTable("sync_runs")
    .set({ retirement: null })
    .where((column) => column.and({ tenant_id, connection_id }))
    .where("retirement", all ? "is not" : "=", all ? null : "held")
    .execute();
}
