import { sql } from "kysely";
import { prepared } from "../driver/statements.ts";
import { anyOf, assignments, columns } from "../recordset.ts";
import type { Transaction } from "../tables/index.ts";
import { here } from "../tenancy/here.ts";
import { BUCKET_PLACES, BUCKET_STARTS } from "./bucket-starts.ts";
import { DEBT_COLUMNS, freshDebts } from "./counted-debts.ts";
import { CUSTOMER_COLUMNS, customersAfter } from "./customer-parts.ts";
import { writeDays } from "./day-parts.ts";
import { figuresAged, figuresChanged, writeFigureRows } from "./invoice-figures.ts";
import { crossingUsual } from "./past-expected.ts";
import { historyStart } from "./payment-history.ts";
import {
  added,
  aged,
  changesOf,
  customerKey,
  each,
  isIn,
  type SqlPart,
  summed,
  TOTAL_FIGURES,
  totalsOf,
  UNASSIGNED,
} from "./rollup-parts.ts";

/** The invoices with a debt that between two days comes to another bucket, or should come in. */
function crossing(tenantId: SqlPart, from: SqlPart, to: SqlPart) {
  const between = BUCKET_STARTS.map(
    (start) => sql`
      select debt.invoice_id from aging_totals as total join aging_debts as debt
        on debt.tenant_id = ${tenantId} and debt.currency = total.currency
        and debt.due_date > least(${from}::date, ${to}::date) - ${sql.lit(start)}
        and debt.due_date <= greatest(${from}::date, ${to}::date) - ${sql.lit(start)}
      where total.tenant_id = ${tenantId}`,
  );
  return sql.join([...between, crossingUsual(tenantId, from, to)], sql` union `);
}

/** The roll-up's debts of some invoices. */
export const staleDebts = (tenantId: SqlPart, which: SqlPart) =>
  sql`stale as materialized (select * from aging_debts where tenant_id = ${tenantId} and ${which})`;

/** Makes the debts in `stale` those of `fresh`. */
const writeDebts = (tenantId: SqlPart): SqlPart => sql`
  debts_gone as materialized (
    select stale.invoice_id, stale.debt_id from stale left join fresh using (invoice_id, debt_id)
    where fresh.debt_id is null
  ),
  debts_deleted as (
    delete from aging_debts where tenant_id = ${tenantId} and ${isIn("debts_gone", ["invoice_id", "debt_id"])}
  ),
  debts_written as (
    insert into aging_debts (tenant_id, ${columns(DEBT_COLUMNS)})
    select here.tenant_id, ${columns(DEBT_COLUMNS, "fresh")}
    from fresh left join stale using (invoice_id, debt_id) cross join ${here(tenantId)}
    where row(${columns(DEBT_COLUMNS, "fresh")}) is distinct from row(${columns(DEBT_COLUMNS, "stale")})
    on conflict (tenant_id, invoice_id, debt_id) do update set ${assignments(DEBT_COLUMNS.slice(2), "excluded")}
  )`;

/** Columns of `aging_customers` without its key. */
const CUSTOMER_VALUES = CUSTOMER_COLUMNS.slice(2);

/** Makes the rows of the customers in `before` those of `after`. */
export const writeAgedCustomers = (tenantId: SqlPart): SqlPart => sql`
  customers_gone as materialized (
    select customer_key, currency from before join after using (customer_key, currency) where after.invoices_all = 0
  ),
  customers_deleted as (
    delete from aging_customers where tenant_id = ${tenantId} and ${isIn("customers_gone", ["customer_key", "currency"])}
  ),
  customers_written as (
    insert into aging_customers (tenant_id, ${columns(CUSTOMER_COLUMNS)})
    select here.tenant_id, ${columns(CUSTOMER_COLUMNS, "after")}
    from after left join before using (customer_key, currency) cross join ${here(tenantId)}
    where after.invoices_all > 0
      and row(${columns(CUSTOMER_VALUES, "before")}) is distinct from row(${columns(CUSTOMER_VALUES, "after")})
    on conflict (tenant_id, customer_key, currency) do update set ${assignments(CUSTOMER_VALUES, "excluded")}
  )`;

/** Adds the difference between `before` and `after` to the totals of their currencies. */
export const writeTotals = (tenantId: SqlPart): SqlPart => sql`
  totals_written as (
  insert into aging_totals (tenant_id, currency, ${columns(TOTAL_FIGURES)})
  select here.tenant_id, currency, ${summed(TOTAL_FIGURES)}
  from (${totalsOf("after", 1)} union all ${totalsOf("before", -1)}) as moved cross join ${here(tenantId)}
  group by here.tenant_id, currency
  having row(${each(({ digest, history, past }) => sql`sum(${digest}), sum(${history}), sum(${past})`)})
    <> row(${each(() => sql`0, 0, 0`)})
  on conflict (tenant_id, currency) do update set ${added("aging_totals", TOTAL_FIGURES)}
  ) select from tenants where tenant_id = ${tenantId}`;

/** The current rows of the customers in `affected`: each looked up, for a few of many that is faster than reading all. */
export const customersBefore = (tenantId: SqlPart): SqlPart => sql`
  select customer.* from affected cross join lateral (
    select * from aging_customers where tenant_id = ${tenantId}
      and customer_key = affected.customer_key and currency = affected.currency limit 1
  ) as customer`;

/** What is recomputed; the day is the roll-up's. */
interface RecomputeParts {
  readonly tenantId: SqlPart;
  readonly day: SqlPart;
  /** Customers whose names may have changed. */
  readonly customers: SqlPart;
  /** Keys of customers whose payment history may have changed. */
  readonly relearned: SqlPart;
  /** A condition on `invoice_id`: whose debts may have changed. */
  readonly which: SqlPart;
}

/** Rows of `aging_customers` as they stand in `affected`. */
export const affectedRows = (tenantId: SqlPart, which: SqlPart): SqlPart => sql`
  select customer_key, currency, customer_id,
    case when customer_id is null then substr(customer_key, ${sql.lit(UNASSIGNED.length + 1)})::uuid end
  from aging_customers where tenant_id = ${tenantId} and ${which}`;

const recompute = ({ tenantId, day, customers, relearned, which }: RecomputeParts): SqlPart => sql`
  with ${freshDebts(tenantId, which)}, ${staleDebts(tenantId, which)},
  ${changesOf(sql`${aged(sql`fresh`, day, 1)} union all ${aged(sql`stale`, day, -1)}`)},
  affected as (
    select customer_key, currency, customer_id, own_invoice_id from changes
    union
    ${affectedRows(tenantId, sql`customer_key = any(${customers}::text[] || ${relearned}::text[])`)}
  ),
  ${customersAfter({
    ...{ tenantId, day, before: customersBefore(tenantId) },
    relearned: sql`affected.customer_key = any(${relearned}::text[])`,
    renamed: sql`(customer_key = any(${customers}::text[])
      or (customer_key, currency) in (select customer_key, currency from changes))`,
  })},
  ${figuresChanged(tenantId, which)}, ${writeDebts(tenantId)}, ${writeDays(tenantId)}, ${writeAgedCustomers(tenantId)},
  ${writeFigureRows(tenantId)}, ${writeTotals(tenantId)}`;

/** Moves figures from one day to another; the debts themselves do not change. */
const move = (tenantId: SqlPart, from: SqlPart, to: SqlPart): SqlPart => sql`
  with ${staleDebts(tenantId, sql`invoice_id in (${crossing(tenantId, from, to)})`)},
  ${changesOf(sql`${aged(sql`stale`, to, 1)} union all ${aged(sql`stale`, from, -1)}`)},
  expired as materialized (
    select distinct ${customerKey("closing")} as customer_key from aging_closings as closing
    where closing.tenant_id = ${tenantId} and closing.closed_on >= least(${historyStart(from)}, ${historyStart(to)})
      and closing.closed_on < greatest(${historyStart(from)}, ${historyStart(to)})
  ),
  affected as (
    select customer_key, currency, customer_id, own_invoice_id from changes
    union
    ${affectedRows(tenantId, sql`customer_key = any(array(select customer_key from expired))`)}
  ),
  ${customersAfter({
    ...{ tenantId, day: to, before: customersBefore(tenantId) },
    relearned: sql`affected.customer_key in (select customer_key from expired)`,
    renamed: sql`false`,
  })}, ${figuresAged(tenantId)}, ${writeAgedCustomers(tenantId)}, ${writeFigureRows(tenantId)}, ${writeTotals(tenantId)}`;

interface Stale {
  /** Whose debts may have changed. */
  invoices: readonly string[];
  /** Whose names may have changed. */
  customers?: readonly string[];
  /** Keys of customers whose payment history may have changed. */
  relearned: readonly string[];
}

/**
 * Brings the roll-up's debts of some invoices up to date, and adds the difference to the figures of their customers and
 * currencies, in one statement. The caller holds the roll-up's lock; `day` is the roll-up's.
 */
export async function recomputeStale(
  tx: Transaction,
  tenantId: string,
  day: string,
  { invoices, customers = [], relearned }: Stale,
): Promise<void> {
  const list = (items: readonly string[]) => sql`${`{${items.join(",")}}`}`;
  const keys = { customers: list(customers), relearned: list(relearned) };
  const which = sql`invoice_id = ${anyOf(invoices, "uuid")}`;
  await recompute({ tenantId: sql`${tenantId}`, day: sql`${day}`, ...keys, which }).execute(tx);
}

/** Up to this number of debts a roll-up is moved by a plan that is the same for all: making one takes longer than moving them. */
const FEW_DEBTS = 5_000;

async function hasFewDebts(tx: Transaction, tenantId: string): Promise<boolean> {
  const { rows } = await sql<{ debts: string | null }>`
    select sum(${sql.join(
      BUCKET_PLACES.map((place) => sql.ref(`debts_${place}`)),
      sql` + `,
    )}) as debts from aging_totals where tenant_id = ${tenantId}`.execute(tx);
  return Number(rows[0]?.debts ?? 0) <= FEW_DEBTS;
}

/** Moves the figures of a roll-up from one day to another, earlier or later. The caller holds its lock. */
export async function moveToDay(tx: Transaction, tenantId: string, from: string, to: string): Promise<void> {
  const statement = move(sql`${tenantId}`, sql`${from}`, sql`${to}`).compile(tx);
  await tx.executeQuery((await hasFewDebts(tx, tenantId)) ? prepared(statement) : statement);
}
