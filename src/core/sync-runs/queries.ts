import type { InferResult } from "kysely";
import { erpSentence } from "../../erp-reasons.ts";
import type { Transaction } from "../../store/store.ts";
import type { WouldRetire } from "../../store/tables/erp.ts";
import { counted } from "../kernel/counted.ts";
import { givenConditions } from "../kernel/filter-conditions.ts";
import { formatStored } from "../kernel/money.ts";
import type { SyncRunFilters } from "./schema.ts";

/** A run with what a response needs; `created_at` is its start, the name that lists order by. */
export type SyncRunRecord = InferResult<ReturnType<typeof matchingSyncRuns>>[number];

/** The tenant's runs that match every filter given, unordered. */
export function matchingSyncRuns(tx: Transaction, tenantId: string, filters: SyncRunFilters) {
  return tx
    .selectFrom("sync_runs")
    .select([
      "sync_run_id",
      "connection_id",
      "trigger",
      "status",
      "started_at",
      "finished_at",
      "invoices_read",
      "invoices_created",
      "invoices_updated",
      "invoices_retired",
      "invoices_set_aside",
      "error_code",
      "error_reason",
      "would_retire",
      "started_at as created_at",
    ])
    .where("tenant_id", "=", tenantId)
    .where((eb) => eb.and(givenConditions(eb, filters, { connection_id: "connection_id", status: "status" })));
}

/** One run of the tenant; undefined when missing. */
export function findSyncRun(tx: Transaction, tenantId: string, syncRunId: string) {
  return matchingSyncRuns(tx, tenantId, {}).where("sync_run_id", "=", syncRunId).executeTakeFirst();
}

/** The latest run of a connection. Its order is that of an index, so that not all runs are sorted. */
export function latestRunOf(tx: Transaction, tenantId: string, connectionId: string) {
  return matchingSyncRuns(tx, tenantId, { connection_id: connectionId })
    .orderBy("started_at", "desc")
    .orderBy("sync_run_id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Why a run failed; null for one that did not. */
export function failureInWords({ error_reason: reason, would_retire: held }: SyncRunRecord) {
  return held === null ? reason && erpSentence(reason) : heldInWords(held);
}

/** The run as callers see it (completions §4). */
export function syncRunOnWire(row: SyncRunRecord) {
  const {
    sync_run_id: id,
    error_code: code,
    error_reason: _,
    would_retire: _held,
    created_at: _startedAt,
    ...run
  } = row;
  return { id, ...run, error: code === null ? null : { code, message: failureInWords(row) ?? "" } };
}

/** Business units that a message names. */
const MAX_NAMED = 5;

/** What is missing by business unit, null for invoices without one, each with what its invoices owe by currency. */
export function missingByUnit({ missing }: WouldRetire) {
  return [...Map.groupBy(missing, (part) => part.business_unit)].map(([unit, parts]) => ({
    unit,
    invoices: parts.reduce((sum, { invoices }) => sum + invoices, 0),
    amounts: parts
      .filter(({ owing }) => owing > 0)
      .map(({ currency, outstanding }) => ({ currency, outstanding: formatStored(outstanding, currency) })),
  }));
}

/** When the first of the missing invoices was not found any more. */
export const missingSince = ({ missing }: WouldRetire) => missing.map(({ since }) => since).sort()[0] ?? "";

/** What a held run found, as every caller reads it. */
export function heldInWords(wouldRetire: WouldRetire) {
  const sum = (count: "invoices" | "owing") => wouldRetire.missing.reduce((all, part) => all + part[count], 0);
  const units = missingByUnit(wouldRetire);
  const named = units.slice(0, MAX_NAMED).map(({ unit, invoices, amounts }) => {
    const sums = amounts.map(({ currency, outstanding }) => `${outstanding} ${currency ?? "of an unknown currency"}`);
    return `${unit ?? "no business unit"}: ${[counted(invoices, "invoice"), ...sums].join(", ")}`;
  });
  const more = units.length - named.length;
  const all = [...named, ...(more > 0 ? [`${counted(more, "more business unit")}`] : [])].join("; ");
  return `The ERP no longer shows ${counted(sum("invoices"), "invoice")}, ${sum("owing")} of the ${wouldRetire.owing} that still owe (${all}). None was retired: an admin confirms that they are gone, or has the ERP show them again.`;
}
