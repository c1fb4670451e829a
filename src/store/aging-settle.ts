import { type RawBuilder, sql } from "kysely";
import {
  aged,
  CUSTOMER_COLUMNS,
  changesOf,
  column,
  customersAfter,
  DEBT_COLUMNS,
  freshDebts,
  TOTAL_FIGURES,
  totalsOf,
} from "./aging-sql.ts";
import { BUCKET_PLACES } from "./aging-terms.ts";
import type { Transaction } from "./transaction.ts";

/** What of a roll-up has to be looked at. */
export interface Settlement {
  /** A query of the invoices whose debts may have changed, or their buckets. */
  touched: RawBuilder<unknown>;
  /** Whose names may have changed. */
  customers: readonly string[];
  /** The day that the stored figures of those invoices are of, and the one they are to be of. */
  from: string;
  to: string;
}

const columns = (names: readonly string[], alias?: string): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql.ref(alias === undefined ? name : `${alias}.${name}`)));

const settings = (names: readonly string[]): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));

/**
 * Compares the debts of some invoices with those the roll-up has of them, and adds the difference to their customers and
 * currencies: one statement, whatever happened to them. The caller holds the lock.
 */
export async function settle(
  tx: Transaction,
  tenantId: string,
  { touched, customers, from, to }: Settlement,
): Promise<void> {
  const renamed = sql`any(${`{${customers.join(",")}}`}::text[])`;
  await sql`
    with touched as materialized (${touched}), ${freshDebts(tenantId)},
    stale as materialized (
      select debt.* from touched join aging_debts as debt
        on debt.tenant_id = ${tenantId} and debt.invoice_id = touched.invoice_id
    ),
    ${changesOf(sql`${aged("fresh", to, 1)} union all ${aged("stale", from, -1)}`)},
    affected as (
      select customer_key, currency, customer_id, own_invoice_id from changes
      union
      select customer_key, currency, customer_id, null::uuid from aging_customers
      where tenant_id = ${tenantId} and customer_key = ${renamed}
    ),
    ${customersAfter(
      tenantId,
      sql`select customer.* from affected join aging_customers as customer on customer.tenant_id = ${tenantId}
        and customer.customer_key = affected.customer_key and customer.currency = affected.currency`,
    )},
    debts_gone as (
      delete from aging_debts as debt using stale
      where debt.tenant_id = ${tenantId} and debt.invoice_id = stale.invoice_id and debt.debt_id = stale.debt_id
        and not exists (select from fresh where fresh.debt_id = stale.debt_id)
    ),
    debts_written as (
      insert into aging_debts (tenant_id, ${columns(DEBT_COLUMNS)})
      select ${tenantId}::uuid, ${columns(DEBT_COLUMNS)} from fresh
      where not exists (select from stale where stale.debt_id = fresh.debt_id and stale.digest = fresh.digest)
      on conflict (tenant_id, invoice_id, debt_id) do update set ${settings(DEBT_COLUMNS.slice(2))}
    ),
    customers_gone as (
      delete from aging_customers as customer using after
      where customer.tenant_id = ${tenantId} and customer.customer_key = after.customer_key
        and customer.currency = after.currency and after.invoices_all = 0
    ),
    customers_written as (
      insert into aging_customers (tenant_id, ${columns(CUSTOMER_COLUMNS)})
      select ${tenantId}::uuid, ${columns(CUSTOMER_COLUMNS)} from after
      where invoices_all > 0 and not exists (
        select from before where before.customer_key = after.customer_key and before.currency = after.currency
          and row(${columns(CUSTOMER_COLUMNS, "before")}) is not distinct from row(${columns(CUSTOMER_COLUMNS, "after")})
      )
      on conflict (tenant_id, customer_key, currency) do update set ${settings(CUSTOMER_COLUMNS.slice(2))}
    )
    insert into aging_totals (tenant_id, currency, ${columns(TOTAL_FIGURES)})
    select ${tenantId}::uuid, currency, ${sql.join(TOTAL_FIGURES.map((name) => sql`sum(${sql.ref(name)})`))}
    from (${totalsOf("after", 1)} union all ${totalsOf("before", -1)}) as moved group by currency
    having ${sql.join(
      BUCKET_PLACES.map((n) => sql`sum(${column("digest", n)}) <> 0`),
      sql` or `,
    )}
    on conflict (tenant_id, currency) do update
      set ${sql.join(TOTAL_FIGURES.map((name) => sql`${sql.ref(name)} = ${sql.ref(`aging_totals.${name}`)} + ${sql.ref(`excluded.${name}`)}`))}
  `.execute(tx);
}
