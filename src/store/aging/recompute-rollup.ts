import { sql } from "kysely";
import { shaped } from "../prepared.ts";
import type { Transaction } from "../tables/index.ts";
import { DEBT_COLUMNS, freshDebts } from "./counted-debts.ts";
import { CUSTOMER_COLUMNS, customersAfter } from "./customer-parts.ts";
import { writeDays } from "./due-days.ts";
import { historyStart } from "./history-parts.ts";
import { figuresAged, figuresChanged, writeFigureRows } from "./invoice-figures.ts";
import {
  aged,
  assigned,
  changesOf,
  columns,
  customerKey,
  each,
  type SqlPart,
  TOTAL_FIGURES,
  totalsOf,
} from "./rollup-parts.ts";
import { BUCKET_STARTS, UNASSIGNED } from "./terms.ts";

/** The invoices with a debt whose bucket differs between two days. */
function crossing(tenantId: SqlPart, from: SqlPart, to: SqlPart): SqlPart {
  const between = BUCKET_STARTS.map(
    (start) => sql`
      select debt.invoice_id from aging_totals as total join aging_debts as debt
        on debt.tenant_id = ${tenantId} and debt.currency = total.currency
        and debt.due_date > least(${from}::date, ${to}::date) - ${sql.lit(start)}
        and debt.due_date <= greatest(${from}::date, ${to}::date) - ${sql.lit(start)}
      where total.tenant_id = ${tenantId}`,
  );
  return sql.join(between, sql` union `);
}

/** The roll-up's debts of some invoices, each with its row's ctid. */
const staleDebts = (tenantId: SqlPart, which: SqlPart): SqlPart =>
  sql`stale as materialized (select *, ctid as place from aging_debts where tenant_id = ${tenantId} and ${which})`;

/** Makes the debts in `stale` those of `fresh`. Rows are found by ctid, because the planner misjudges how many there are. */
const writeDebts = (tenantId: SqlPart): SqlPart => sql`
  debts_gone as (
    delete from aging_debts where tenant_id = ${tenantId} and ctid = any(array(
      select place from stale where not exists
        (select from fresh where fresh.invoice_id = stale.invoice_id and fresh.debt_id = stale.debt_id)
    ))
  ),
  debts_changed as (
    update aging_debts as debt set ${assigned(DEBT_COLUMNS.slice(2), "fresh")}
    from stale join fresh using (invoice_id, debt_id)
    where debt.tenant_id = ${tenantId} and debt.ctid = stale.place and fresh.digest <> stale.digest
  ),
  debts_added as (
    insert into aging_debts (tenant_id, ${columns(DEBT_COLUMNS)})
    select ${tenantId}::uuid, ${columns(DEBT_COLUMNS)} from fresh
    where not exists (select from stale where stale.invoice_id = fresh.invoice_id and stale.debt_id = fresh.debt_id)
  )`;

/** Columns of `aging_customers` without its key. */
const CUSTOMER_VALUES = CUSTOMER_COLUMNS.slice(2);

/** Makes the rows of the customers in `before` those of `after`. */
const writeCustomers = (tenantId: SqlPart): SqlPart => sql`
  customers_gone as (
    delete from aging_customers where tenant_id = ${tenantId} and ctid = any(array(
      select before.place from before join after using (customer_key, currency) where after.invoices_all = 0
    ))
  ),
  customers_changed as (
    update aging_customers as customer set ${assigned(CUSTOMER_VALUES, "after")}
    from before join after using (customer_key, currency)
    where customer.tenant_id = ${tenantId} and customer.ctid = before.place and after.invoices_all > 0
      and row(${columns(CUSTOMER_VALUES, "before")}) is distinct from row(${columns(CUSTOMER_VALUES, "after")})
  ),
  customers_added as (
    insert into aging_customers (tenant_id, ${columns(CUSTOMER_COLUMNS)})
    select ${tenantId}::uuid, ${columns(CUSTOMER_COLUMNS)} from after
    where invoices_all > 0 and not exists (
      select from before where before.customer_key = after.customer_key and before.currency = after.currency
    )
  )`;

const sumOf = (name: string): SqlPart => sql`sum(${sql.ref(name)})`;
const added = (name: string): SqlPart =>
  sql`${sql.ref(name)} = ${sql.ref(`aging_totals.${name}`)} + ${sql.ref(`excluded.${name}`)}`;

/** Adds the difference between `before` and `after` to the totals of their currencies. */
const writeTotals = (tenantId: SqlPart): SqlPart => sql`
  insert into aging_totals (tenant_id, currency, ${columns(TOTAL_FIGURES)})
  select ${tenantId}::uuid, currency, ${sql.join(TOTAL_FIGURES.map(sumOf))}
  from (${totalsOf("after", 1)} union all ${totalsOf("before", -1)}) as moved group by currency
  having row(${each(({ digest, history }) => sql`sum(${digest}), sum(${history})`)}) <> row(${each(() => sql`0, 0`)})
  on conflict (tenant_id, currency) do update set ${sql.join(TOTAL_FIGURES.map(added))}`;

/** The current rows of the customers in `affected`. */
const customersBefore = (tenantId: SqlPart): SqlPart => sql`
  select customer.*, customer.ctid as place from affected join aging_customers as customer
    on customer.tenant_id = ${tenantId}
    and customer.customer_key = affected.customer_key and customer.currency = affected.currency`;

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
const affectedRows = (tenantId: SqlPart, which: SqlPart): SqlPart => sql`
  select customer_key, currency, customer_id,
    case when customer_id is null then substr(customer_key, ${sql.lit(UNASSIGNED.length + 1)})::uuid end
  from aging_customers where tenant_id = ${tenantId} and ${which}`;

const recompute = ({ tenantId, day, customers, relearned, which }: RecomputeParts): SqlPart => sql`
  with ${freshDebts(tenantId, which)}, ${staleDebts(tenantId, which)},
  ${changesOf(sql`${aged("fresh", day, 1)} union all ${aged("stale", day, -1)}`)},
  affected as (
    select customer_key, currency, customer_id, own_invoice_id from changes
    union
    ${affectedRows(tenantId, sql`customer_key = any(${customers}::text[] || ${relearned}::text[])`)}
  ),
  ${customersAfter({
    ...{ tenantId, day, before: customersBefore(tenantId) },
    relearned: sql`affected.customer_key = any(${relearned}::text[])`,
  })},
  ${figuresChanged(tenantId, which)}, ${writeDebts(tenantId)}, ${writeDays(tenantId)}, ${writeCustomers(tenantId)},
  ${writeFigureRows(tenantId)} ${writeTotals(tenantId)}`;

/** Moves figures from one day to another; the debts themselves do not change. */
const move = (tenantId: SqlPart, from: SqlPart, to: SqlPart): SqlPart => sql`
  with ${staleDebts(tenantId, sql`invoice_id in (${crossing(tenantId, from, to)})`)},
  ${changesOf(sql`${aged("stale", to, 1)} union all ${aged("stale", from, -1)}`)},
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
  })}, ${figuresAged(tenantId)}, ${writeCustomers(tenantId)}, ${writeFigureRows(tenantId)} ${writeTotals(tenantId)}`;

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
  const list = (items: readonly string[]): string => `{${items.join(",")}}`;
  const lists = { customers: list(customers), relearned: list(relearned), invoices: list(invoices) };
  const statement = shaped("aging recompute", { tenantId, day, ...lists }, (db, value) => {
    const which = sql`invoice_id = any(${value("invoices")}::uuid[])`;
    const named = { customers: value("customers"), relearned: value("relearned") };
    return recompute({ tenantId: value("tenantId"), day: value("day"), ...named, which }).compile(db);
  });
  await tx.executeQuery(statement);
}

/** The same for all invoices of a tenant. */
export async function recomputeAll(tx: Transaction, tenantId: string, day: string): Promise<void> {
  const all = { customers: sql`'{}'`, relearned: sql`'{}'`, which: sql`true` };
  await recompute({ tenantId: sql`${tenantId}`, day: sql`${day}`, ...all }).execute(tx);
}

/** Moves the figures of a roll-up from one day to another, earlier or later. The caller holds its lock. */
export async function moveToDay(tx: Transaction, tenantId: string, from: string, to: string): Promise<void> {
  await move(sql`${tenantId}`, sql`${from}`, sql`${to}`).execute(tx);
}
