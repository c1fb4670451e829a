import { type RawBuilder, sql } from "kysely";
import { columns } from "../recordset.ts";
import type { Transaction } from "../tables/index.ts";
import { here } from "../tenancy/here.ts";
import { invoicesOf } from "./book-parts.ts";
import { CLOSING_COLUMNS, freshClosings } from "./closed-installments.ts";
import { DEBT_COLUMNS, freshDebts } from "./counted-debts.ts";
import { CUSTOMER_COLUMNS, customersAfter } from "./customer-parts.ts";
import { FIGURE_COLUMNS, figuresFresh } from "./invoice-figures.ts";
import { aged, changesOf, type SqlPart } from "./rollup-parts.ts";
import { OTHER_SUMS } from "./wrong-sums.ts";

/** Invoices of one statement: no statement is to take as long as one may, however large the book. */
const AT_ONCE = 100_000;

/** Fills a tenant's roll-up, whose tables are empty: each table from the book, `size` invoices at once, or from those before it. */
export async function fillRollup(tx: Transaction, tenantId: string, day: string, size = AT_ONCE): Promise<void> {
  const [tenant, on] = [sql`${tenantId}`, sql`${day}`];
  let after: string | null = null;
  do {
    const { last, which } = await invoicesOf(tx, tenantId, { after, size });
    await invoices(tenant, on, which).execute(tx);
    after = last;
  } while (after !== null);
  // Nothing is known yet of how much was written: what is estimated as a few rows would be joined by the square.
  for (const way of WAYS_FOR_FEW) await sql`set local ${way} = off`.execute(tx);
  await customers(tenant, on).execute(tx);
  for (const { table, key, figures, computed } of OTHER_SUMS) {
    const rows = sql`(${computed(tenant, on)}) as computed`;
    await insert(tenant, { table, key, names: [...key, ...figures] }, rows).execute(tx);
  }
  for (const way of WAYS_FOR_FEW) await sql`set local ${way} to default`.execute(tx);
}

/** Row by row, and sorted by some of what is compared. */
const WAYS_FOR_FEW = [sql.raw("enable_nestloop"), sql.raw("enable_mergejoin")];

interface Into {
  readonly table: string;
  readonly key: readonly string[];
  readonly names: readonly string[];
}

const insert = (tenantId: SqlPart, { table, key, names }: Into, rows: SqlPart): RawBuilder<unknown> => sql`
  insert into ${sql.table(table)} (tenant_id, ${columns(names)})
  select here.tenant_id, ${columns(names)} from ${rows} cross join ${here(tenantId)}
  on conflict (tenant_id, ${columns(key)}) do nothing`;

const CLOSINGS: Into = { table: "aging_closings", key: ["invoice_id", "installment_id"], names: CLOSING_COLUMNS };
const DEBTS: Into = { table: "aging_debts", key: ["invoice_id", "debt_id"], names: DEBT_COLUMNS };
const FIGURES: Into = { table: "invoice_figures", key: ["invoice_id"], names: FIGURE_COLUMNS };
const CUSTOMERS: Into = { table: "aging_customers", key: ["customer_key", "currency"], names: CUSTOMER_COLUMNS };

/** Where tenants lie on workers, an insert with parts before it is misread, and one that is a part is not. */
const NOTHING = sql`select 1 as written`;

const invoices = (tenantId: SqlPart, day: SqlPart, which: SqlPart): RawBuilder<unknown> => sql`
  with ${freshDebts(tenantId, which)}, moves as (${aged(sql`fresh`, day, 1)}), ${figuresFresh(tenantId, which)},
  closings as (${insert(tenantId, CLOSINGS, sql`(${freshClosings(tenantId, which)}) as closings_fresh`)}),
  debts as (${insert(tenantId, DEBTS, sql`fresh`)}),
  figures as (${insert(tenantId, FIGURES, sql`figures_fresh`)})
  ${NOTHING}`;

const customers = (tenantId: SqlPart, day: SqlPart): RawBuilder<unknown> => sql`
  with stale as (select * from aging_debts where tenant_id = ${tenantId}),
  ${changesOf(aged(sql`stale`, day, 1))},
  affected as (select customer_key, currency, customer_id, own_invoice_id from changes),
  ${customersAfter({ tenantId, day, before: null, relearned: sql`true`, renamed: sql`true` })},
  written as (${insert(tenantId, CUSTOMERS, sql`after`)})
  ${NOTHING}`;
