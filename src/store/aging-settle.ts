import { CompiledQuery } from "kysely";
import {
  aged,
  CUSTOMER_COLUMNS,
  changesOf,
  customersAfter,
  DEBT_COLUMNS,
  freshDebts,
  TOTAL_FIGURES,
  totalsOf,
} from "./aging-sql.ts";
import { BUCKET_PLACES, BUCKET_STARTS } from "./aging-terms.ts";
import type { Transaction } from "./transaction.ts";

/** Debts of `aging_debts` whose bucket differs between the days `$2` and `$3`. */
const CROSSING = BUCKET_STARTS.map(
  (start) => `
    select debt.invoice_id from aging_totals as total join aging_debts as debt
      on debt.tenant_id = $1 and debt.currency = total.currency
      and debt.due_date > least($2::date, $3::date) - ${start} and debt.due_date <= greatest($2::date, $3::date) - ${start}
    where total.tenant_id = $1`,
).join(" union ");

const list = (names: readonly string[], alias?: string): string =>
  names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(", ");
const given = (names: readonly string[], source: string): string =>
  names.map((name) => `${name} = ${source}.${name}`).join(", ");
const summed = (names: readonly string[]): string =>
  names.map((name) => `${name} = aging_totals.${name} + excluded.${name}`).join(", ");

/** The debts that the roll-up has of some invoices, and where they stand. */
const staleDebts = (which: string): string =>
  `stale as materialized (select *, ctid as place from aging_debts where tenant_id = $1 and ${which})`;

/** Makes the debts in `stale` those of `fresh`. Rows are found by their place, however many the planner takes them for. */
const DEBTS = `
  debts_gone as (
    delete from aging_debts where tenant_id = $1 and ctid = any(array(
      select place from stale where not exists
        (select from fresh where fresh.invoice_id = stale.invoice_id and fresh.debt_id = stale.debt_id)
    ))
  ),
  debts_changed as (
    update aging_debts as debt set ${given(DEBT_COLUMNS.slice(2), "fresh")}
    from stale join fresh using (invoice_id, debt_id)
    where debt.tenant_id = $1 and debt.ctid = stale.place and fresh.digest <> stale.digest
  ),
  debts_added as (
    insert into aging_debts (tenant_id, ${list(DEBT_COLUMNS)})
    select $1::uuid, ${list(DEBT_COLUMNS)} from fresh
    where not exists (select from stale where stale.invoice_id = fresh.invoice_id and stale.debt_id = fresh.debt_id)
  )`;

/** Makes the rows of the customers in `before` those of `after`, and adds the difference to the totals. */
const SUMS = `
  customers_gone as (
    delete from aging_customers where tenant_id = $1 and ctid = any(array(
      select before.place from before join after using (customer_key, currency) where after.invoices_all = 0
    ))
  ),
  customers_changed as (
    update aging_customers as customer set ${given(CUSTOMER_COLUMNS.slice(2), "after")}
    from before join after using (customer_key, currency)
    where customer.tenant_id = $1 and customer.ctid = before.place and after.invoices_all > 0
      and row(${list(CUSTOMER_COLUMNS.slice(2), "before")}) is distinct from row(${list(CUSTOMER_COLUMNS.slice(2), "after")})
  ),
  customers_added as (
    insert into aging_customers (tenant_id, ${list(CUSTOMER_COLUMNS)})
    select $1::uuid, ${list(CUSTOMER_COLUMNS)} from after
    where invoices_all > 0 and not exists (
      select from before where before.customer_key = after.customer_key and before.currency = after.currency
    )
  )
  insert into aging_totals (tenant_id, currency, ${list(TOTAL_FIGURES)})
  select $1::uuid, currency, ${TOTAL_FIGURES.map((name) => `sum(${name})`).join(", ")}
  from (${totalsOf("after", 1)} union all ${totalsOf("before", -1)}) as moved group by currency
  having ${BUCKET_PLACES.map((n) => `sum(digest_${n}) <> 0`).join(" or ")}
  on conflict (tenant_id, currency) do update set ${summed(TOTAL_FIGURES)}`;

/** The rows that there are of the customers in `affected`. */
const BEFORE = `
  select customer.*, customer.ctid as place from affected join aging_customers as customer on customer.tenant_id = $1
    and customer.customer_key = affected.customer_key and customer.currency = affected.currency`;

/** `$1` tenant, `$2` the day of the roll-up; `$3` some customers, `$4` maybe some invoices. */
const settlement = (which: string): string => `
  with ${freshDebts(which)}, ${staleDebts(which)},
  ${changesOf(`${aged("fresh", "$2", 1)} union all ${aged("stale", "$2", -1)}`)},
  affected as (
    select customer_key, currency, customer_id, own_invoice_id from changes
    union
    select customer_key, currency, customer_id, null::uuid from aging_customers
    where tenant_id = $1 and customer_key = any($3::text[])
  ),
  ${customersAfter(BEFORE)}, ${DEBTS}, ${SUMS}`;

const SETTLE = settlement("invoice_id = any($4::uuid[])");
const SETTLE_ALL = settlement("true");

/** `$1` tenant, `$2` the day of the roll-up, `$3` the day it is to be of: the debts themselves stay. */
const MOVE = `
  with ${staleDebts(`invoice_id in (${CROSSING})`)},
  ${changesOf(`${aged("stale", "$3", 1)} union all ${aged("stale", "$2", -1)}`)},
  affected as (select customer_key, currency, customer_id, own_invoice_id from changes),
  ${customersAfter(BEFORE)}, ${SUMS}`;

interface Settlement {
  /** Whose debts may have changed. */
  invoices: readonly string[];
  /** Whose names may have changed. */
  customers?: readonly string[];
}

/**
 * Compares the debts of some invoices with those the roll-up has of them, and adds the difference to their customers and
 * currencies: one statement, whatever happened to them. The caller holds the roll-up's lock; `day` is the roll-up's.
 */
export async function settle(
  tx: Transaction,
  tenantId: string,
  day: string,
  { invoices, customers = [] }: Settlement,
): Promise<void> {
  await execute(tx, SETTLE, [tenantId, day, `{${customers.join(",")}}`, `{${invoices.join(",")}}`]);
}

/** The same for all invoices of a tenant. */
export async function settleAll(tx: Transaction, tenantId: string, day: string): Promise<void> {
  await execute(tx, SETTLE_ALL, [tenantId, day, "{}"]);
}

/** Moves the figures of a roll-up from one day to another, earlier or later. The caller holds its lock. */
export async function moveToDay(tx: Transaction, tenantId: string, from: string, to: string): Promise<void> {
  await execute(tx, MOVE, [tenantId, from, to]);
}

async function execute(tx: Transaction, statement: string, parameters: readonly string[]): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(statement, [...parameters]));
}
