import { type RawBuilder, sql } from "kysely";
import { columns } from "../recordset.ts";
import { CUSTOMER_FIGURES, customersAfter } from "./customer-parts.ts";
import { DAY_COLUMNS, freshDays, writeDays } from "./day-parts.ts";
import { INVOICE_TOTAL_COLUMNS, invoiceTotalsOf } from "./invoice-figures.ts";
import { PAST_FIGURES, pastMoves, pastsOf } from "./past-expected.ts";
import { usualDelay } from "./payment-history.ts";
import { customersBefore, staleDebts, writeAgedCustomers, writeTotals } from "./recompute-rollup.ts";
import { added, aged, changesOf, type SqlPart, summed, TOTAL_FIGURES, totalsOf, UNASSIGNED } from "./rollup-parts.ts";

/** Sums that a roll-up keeps of other rows that it keeps. */
export interface Sums {
  readonly table: string;
  readonly key: readonly string[];
  readonly figures: readonly string[];
  /** What they should be: rows of key and figures. */
  readonly computed: (tenantId: SqlPart, day: SqlPart) => SqlPart;
}

const countedFigure = (name: string) =>
  PAST_FIGURES.includes(name) ? sql`pasts.${sql.ref(name)}` : sql`changes.${sql.ref(name)}`;

/** Of customers, of their debts; all other sums that debts are in have names of customers in them. */
export const CUSTOMER_SUMS: Sums = {
  table: "aging_customers",
  key: ["customer_key", "currency"],
  figures: CUSTOMER_FIGURES,
  computed: (tenantId, day) => sql`
    with ${staleDebts(tenantId, sql`true`)}, ${changesOf(aged(sql`stale`, day, 1))},
    habits as (
      select customer_key, currency, ${usualDelay("own")} as usual, null::integer as was
      from aging_customers as own where tenant_id = ${tenantId}
    ),
    ${pastsOf(pastMoves)}
    select changes.customer_key, changes.currency, ${sql.join(CUSTOMER_FIGURES.map(countedFigure))}
    from changes left join pasts using (customer_key, currency)`,
};

const customersOf = (tenantId: SqlPart) => sql`after as (select * from aging_customers where tenant_id = ${tenantId})`;

/** Of currencies, of days, and of the statuses of invoices. */
export const OTHER_SUMS: readonly Sums[] = [
  {
    table: "aging_totals",
    key: ["currency"],
    figures: TOTAL_FIGURES,
    computed: (tenantId) => sql`
      with ${customersOf(tenantId)} select currency, ${summed(TOTAL_FIGURES)}
      from (${totalsOf("after", 1)}) as each_customer group by currency`,
  },
  {
    table: "aging_days",
    key: DAY_COLUMNS.slice(0, 4),
    figures: DAY_COLUMNS.slice(4),
    computed: (tenantId) => sql`
      with fresh as (select * from aging_debts where tenant_id = ${tenantId}), ${customersOf(tenantId)} ${freshDays}`,
  },
  {
    table: "invoice_totals",
    key: INVOICE_TOTAL_COLUMNS.slice(0, 2),
    figures: INVOICE_TOTAL_COLUMNS.slice(2),
    computed: (tenantId) => sql`
      with figures_fresh as (select * from invoice_figures where tenant_id = ${tenantId})
      select collection_status, currency, ${summed(INVOICE_TOTAL_COLUMNS.slice(2))}
      from (${invoiceTotalsOf("figures_fresh", 1)}) as each_invoice group by collection_status, currency`,
  },
];

/** By how much a sum is wrong, with its key, as JSON: numbers stay exact. */
export interface WrongSum {
  readonly error: string;
}

/** The sums that are wrong. Writers change both sides alike, so that what is found stays true while they go on. */
export function wrongSums(sums: Sums, tenantId: SqlPart, day: SqlPart): RawBuilder<WrongSum> {
  const { table, key, figures, computed } = sums;
  const zeroed = (alias: string) => sql.join(figures.map((name) => sql`coalesce(${sql.ref(`${alias}.${name}`)}, 0)`));
  const missing = figures.map(
    (name) =>
      sql`coalesce(${sql.ref(`computed.${name}`)}, 0) - coalesce(${sql.ref(`kept.${name}`)}, 0) as ${sql.ref(name)}`,
  );
  return sql`
    select to_json(wrong)::text as error from (
      select ${columns(key)}, ${sql.join(missing)}
      from (${computed(tenantId, day)}) as computed
        full join (select * from ${sql.table(table)} where tenant_id = ${tenantId}) as kept using (${columns(key)})
      where row(${zeroed("computed")}) <> row(${zeroed("kept")})
    ) as wrong`;
}

const told = (table: string, errors: readonly WrongSum[]) =>
  sql`json_populate_recordset(null::${sql.table(table)}, ${`[${errors.map(({ error }) => error).join(",")}]`}::json)`;

/** Puts sums other than those of customers right. */
export function correctSums({ table, key, figures }: Sums, tenantId: SqlPart, errors: readonly WrongSum[]) {
  return sql`
    insert into ${sql.table(table)} (tenant_id, ${columns([...key, ...figures])})
    select ${tenantId}::uuid, ${columns([...key, ...figures])} from ${told(table, errors)}
    on conflict (tenant_id, ${columns(key)}) do update set ${added(table, figures)}`;
}

/** Puts sums of customers right, and their names and histories; what is summed over customers moves with them. */
export function correctCustomers(tenantId: SqlPart, day: SqlPart, errors: readonly WrongSum[]) {
  const isOwn = sql`starts_with(customer_key, ${sql.lit(UNASSIGNED)})`;
  return sql`
    with changes as materialized (
      select customer_key, currency, ${columns(CUSTOMER_FIGURES)},
        case when not ${isOwn} then customer_key::uuid end as customer_id,
        case when ${isOwn} then substr(customer_key, ${sql.lit(UNASSIGNED.length + 1)})::uuid end as own_invoice_id
      from ${told("aging_customers", errors)}
    ),
    affected as (select customer_key, currency, customer_id, own_invoice_id from changes),
    ${staleDebts(tenantId, sql`false`)}, fresh as (select * from stale), moves as (${aged(sql`stale`, day, 1)}),
    ${customersAfter({ tenantId, day, before: customersBefore(tenantId), relearned: sql`true`, renamed: sql`true` })},
    ${writeDays(tenantId)}, ${writeAgedCustomers(tenantId)}, ${writeTotals(tenantId)}`;
}
