import { type RawBuilder, type SqlBool, sql } from "kysely";
import { stampInvoices, touchInvoices } from "../../../store/aging/rollup.ts";
import { anyOf } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import type { SyncRunRow, WouldRetire } from "../../../store/tables/erp.ts";
import { lastSyncedAt } from "../last-synced-queries.ts";

/** Unmarks missing invoices that were read again, unchanged. */
export async function markFound(tx: Transaction, tenantId: string, invoiceIds: readonly string[], at: string) {
  if (invoiceIds.length === 0) return;
  await tx
    .updateTable("invoices")
    .set({ missing_since: null, last_synced_at: at })
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .execute();
}

/** A range of ERP ids, `after` excluded and `through` included; null is no bound. */
export interface IdRange {
  after: string | null;
  through: string | null;
}

/** What a run reads: its connection and its window. */
type ReadRun = Pick<SyncRunRow, "tenant_id" | "connection_id" | "pull_from" | "started_at">;

/**
 * Marks the invoices that a run should have read in a range of ids and did not, and stores when they were last read, which
 * later runs no longer tell. Invoices outside the run's window are ignored.
 */
export async function markMissing(tx: Transaction, run: ReadRun, range: IdRange, deliveredIds: readonly string[]) {
  await sql`update invoices as invoice set missing_since = ${run.started_at},
      last_synced_at = ${lastSyncedAt("invoice", run.tenant_id)}
    where invoice.tenant_id = ${run.tenant_id} and invoice.connection_id = ${run.connection_id}
      and (${range.after}::bigint is null or invoice.erp_invoice_id > ${range.after}::bigint)
      and (${range.through}::bigint is null or invoice.erp_invoice_id <= ${range.through}::bigint)
      and ${isInPullWindow(run.pull_from)}
      and invoice.missing_since is null and invoice.retired_at is null
      and not (invoice.erp_invoice_id = ${anyOf(deliveredIds, "bigint")})`.execute(tx);
}

/**
 * Whether a pull from `pullFrom` on reads an invoice. What is dated before is neither missing nor retired, so that changing
 * `pull_invoice_date_from` deletes nothing (service.md §2.2). Null is no limit.
 */
const isInPullWindow = (pullFrom: string | null | RawBuilder<unknown>) =>
  sql<SqlBool>`(${pullFrom}::date is null or invoice.invoice_date >= ${pullFrom}::date)`;

/** A missing invoice, with its id in the ERP. */
interface MissingInvoice {
  invoice_id: string;
  erp_invoice_id: string;
}

/** Missing invoices within a run's window, by ERP id. */
export async function missingInvoices(tx: Transaction, run: ReadRun, after: string | null, limit: number) {
  const { rows } = await sql<MissingInvoice>`
    select invoice.invoice_id, invoice.erp_invoice_id from invoices as invoice
    where ${isMissing(run)}
      and (${after}::bigint is null or invoice.erp_invoice_id > ${after}::bigint)
    order by invoice.erp_invoice_id limit ${limit}`.execute(tx);
  return rows;
}

const isMissing = (run: ReadRun) =>
  sql<SqlBool>`(invoice.tenant_id = ${run.tenant_id} and invoice.connection_id = ${run.connection_id}
    and ${isNotShown} and invoice.retired_at is null and ${isInPullWindow(run.pull_from)})`;

/** Marked as missing, and not because it could not be read. */
const isNotShown = sql<SqlBool>`(invoice.missing_since is not null and not exists (
    select from set_aside_invoices as unread where unread.tenant_id = invoice.tenant_id
      and unread.connection_id = invoice.connection_id and unread.erp_invoice_id = invoice.erp_invoice_id))`;

const stillOwes = sql<SqlBool>`(invoice.collection_outstanding > 0)`;

/**
 * How many invoices within a run's window still owe, and how many of them are missing. Those that a person has seen to be
 * missing and confirmed are not counted as missing, for as long as they have been missing ever since; what was only unreadable
 * then was not shown to that person.
 */
export async function countOwing(tx: Transaction, run: ReadRun) {
  const isConfirmed = sql`exists (select from sync_runs as run
    where run.tenant_id = invoice.tenant_id and run.connection_id = ${run.connection_id}
      and run.retirement = 'confirmed' and invoice.missing_since <= run.started_at
      and ${isInPullWindow(sql.ref("run.pull_from"))}
      and not run.would_retire -> 'set_aside' @> to_jsonb(invoice.erp_invoice_id::text))`;
  const { rows } = await sql<{ owing: string; missing: string }>`
    select count(*) as owing, count(*) filter (where ${isNotShown} and not ${isConfirmed}) as missing
    from invoices as invoice
    where invoice.tenant_id = ${run.tenant_id} and invoice.connection_id = ${run.connection_id}
      and invoice.retired_at is null and ${stillOwes} and ${isInPullWindow(run.pull_from)}`.execute(tx);
  return { owing: Number(rows[0]?.owing), missing: Number(rows[0]?.missing) };
}

/** What is missing within a run's window, by business unit and currency, those with most debts first. */
export async function missingParts(tx: Transaction, run: ReadRun, limit: number): Promise<WouldRetire["missing"]> {
  const { rows } = await sql<WouldRetire["missing"][number]>`
    select invoice.business_unit, invoice.currency, count(*)::int as invoices,
      (count(*) filter (where ${stillOwes}))::int as owing,
      coalesce(sum(invoice.collection_outstanding) filter (where ${stillOwes}), 0)::text as outstanding,
      min(invoice.missing_since) as since
    from invoices as invoice where ${isMissing(run)}
    group by invoice.business_unit, invoice.currency
    order by owing desc, invoice.business_unit, invoice.currency limit ${limit}`.execute(tx);
  return rows;
}

/** Retires invoices, and stores when they were last read, which later runs no longer tell. */
export async function markRetired(tx: Transaction, tenantId: string, invoiceIds: readonly string[], at: string) {
  touchInvoices(tx, invoiceIds);
  stampInvoices(tx, invoiceIds, at);
  await sql`update invoices as invoice
    set last_synced_at = ${lastSyncedAt("invoice", tenantId)}, retired_at = ${at}, updated_at = ${at}
    where invoice.tenant_id = ${tenantId} and invoice.invoice_id = ${anyOf(invoiceIds, "uuid")}`.execute(tx);
}
