import { sql } from "kysely";
import { assignments, columns } from "../recordset.ts";
import { here } from "../tenancy/here.ts";
import { added, type SqlPart } from "./rollup-parts.ts";
import { UNKNOWN_CURRENCY } from "./unknown-names.ts";

const AMOUNTS: readonly string[] = [
  "total_amount",
  "collection_outstanding",
  "overdue_outstanding",
  "amount_collected",
];

/** Columns of `invoice_figures` that are written, but the tenant; its key first. */
export const FIGURE_COLUMNS: readonly string[] = ["invoice_id", "currency", "collection_status", ...AMOUNTS];

/** Columns of `invoice_totals` but the tenant; its key first. */
export const INVOICE_TOTAL_COLUMNS: readonly string[] = ["collection_status", "currency", "invoice_count", ...AMOUNTS];

/** `overdue_now`: what of each invoice is overdue, by the debts in `moves`. */
const OVERDUE_NOW = sql`
  overdue_now as (
    select invoice_id, coalesce(sum(amount) filter (where bucket > 0), 0) as amount
    from moves where sign = 1 group by invoice_id
  )`;

/** `figures_stale`: rows of `invoice_figures`. */
const figuresStale = (tenantId: SqlPart, which: SqlPart): SqlPart => sql`
  figures_stale as materialized (
    select * from invoice_figures where tenant_id = ${tenantId} and ${which}
  )`;

/** `figures_fresh`: the rows as the invoices that a condition on `invoice_id` lets through have them; after `moves`. */
export const figuresFresh = (tenantId: SqlPart, which: SqlPart): SqlPart => sql`
  ${OVERDUE_NOW},
  figures_fresh as materialized (
    select invoice_id, coalesce(invoice.currency, ${sql.lit(UNKNOWN_CURRENCY)}) collate "C" as currency,
      invoice.collection_status, coalesce(invoice.total_amount, 0) as total_amount, invoice.collection_outstanding,
      coalesce(overdue_now.amount, 0) as overdue_outstanding, invoice.amount_collected
    from invoices as invoice left join overdue_now using (invoice_id)
    where invoice.tenant_id = ${tenantId} and ${which}
  )`;

/** Both for invoices whose debts have another age, and which are as they were. */
export const figuresAged = (tenantId: SqlPart): SqlPart => sql`
  ${OVERDUE_NOW}, ${figuresStale(tenantId, sql`invoice_id in (select invoice_id from overdue_now)`)},
  figures_fresh as materialized (
    select invoice_id, stale.currency, stale.collection_status, stale.total_amount, stale.collection_outstanding,
      overdue_now.amount as overdue_outstanding, stale.amount_collected
    from figures_stale as stale join overdue_now using (invoice_id)
  )`;

/** Both for invoices that may have changed. */
export const figuresChanged = (tenantId: SqlPart, which: SqlPart) =>
  sql`${figuresStale(tenantId, which)}, ${figuresFresh(tenantId, which)}`;

const VALUES = FIGURE_COLUMNS.slice(1);

/** What rows of a table like `invoice_figures` come to by status and currency, `sign` times. */
export const invoiceTotalsOf = (table: "figures_fresh" | "figures_stale", sign: 1 | -1): SqlPart => sql`
  select collection_status, currency, ${sql.lit(sign)} as invoice_count,
    ${sql.join(AMOUNTS.map((name) => sql`${sql.lit(sign)} * ${sql.ref(name)} as ${sql.ref(name)}`))}
  from ${sql.table(table)}`;

const summed = INVOICE_TOTAL_COLUMNS.slice(2);

/** Writes what differs between the two, and adds the difference to the totals. */
export const writeFigureRows = (tenantId: SqlPart): SqlPart => sql`
  figures_written as (
    insert into invoice_figures (tenant_id, ${columns(FIGURE_COLUMNS)})
    select here.tenant_id, ${columns(FIGURE_COLUMNS, "fresh")}
    from figures_fresh as fresh left join figures_stale as stale using (invoice_id) cross join ${here(tenantId)}
    where row(${columns(VALUES, "stale")}) is distinct from row(${columns(VALUES, "fresh")})
    on conflict (tenant_id, invoice_id) do update set ${assignments(VALUES, "excluded")}
  ),
  invoice_totals_moved as (
    insert into invoice_totals (tenant_id, ${columns(INVOICE_TOTAL_COLUMNS)})
    select here.tenant_id, collection_status, currency, ${sql.join(summed.map((name) => sql`sum(${sql.ref(name)})`))}
    from (${invoiceTotalsOf("figures_fresh", 1)} union all ${invoiceTotalsOf("figures_stale", -1)}) as moved
      cross join ${here(tenantId)}
    group by here.tenant_id, collection_status, currency
    having row(${sql.join(summed.map((name) => sql`sum(${sql.ref(name)})`))}) <> row(${sql.join(summed.map(() => sql`0`))})
    on conflict (tenant_id, collection_status, currency) do update set ${added("invoice_totals", summed)}
  )`;
