import { sql } from "kysely";
import { BUCKET_PLACES } from "./bucket-starts.ts";
import { usualDelay } from "./payment-history.ts";
import { aged, customerKey, each, type SqlPart, UNASSIGNED } from "./rollup-parts.ts";

/** Columns of `aging_customers`, by bucket: what should be in by now as the customer usually pays (completions §10). */
export const PAST_FIGURES: readonly string[] = BUCKET_PLACES.map((place) => `past_${place}`);

/** `pasts`: {@link PAST_FIGURES} that rows (customer_key, currency, bucket, amount) come to. */
export const pastsOf = (rows: SqlPart): SqlPart => sql`
  pasts as materialized (
    select customer_key, currency,
      ${each(({ number, past }) => sql`coalesce(sum(amount) filter (where bucket = ${number}), 0) as ${past}`)}
    from (${rows}) as each_debt group by customer_key, currency
  )`;

/** What `moves` change, by a table `habits`: after how many days a customer paid before the change (`was`), and does now (`usual`). */
export const pastMoves = sql`
  select habits.customer_key, habits.currency, bucket, sign * amount as amount
  from moves join habits on habits.customer_key = ${customerKey("moves")} and habits.currency = moves.currency
  where age > case when sign = 1 then usual else was end`;

/** What other habits change for the debts that are not in `stale`: for those between the two days. */
export function pastReckonings(tenantId: SqlPart, day: SqlPart) {
  const between = (which: SqlPart): SqlPart => sql`
    select * from aging_debts where tenant_id = ${tenantId} and ${which} and currency = habits.currency
      and due_date < ${day}::date - least(usual, was)
      and due_date >= case when usual + was is null then '-infinity' else ${day}::date - greatest(usual, was) end
      and (invoice_id in (select invoice_id from stale)) is not true`;
  return sql`
    select habits.customer_key, habits.currency, bucket,
      amount * case when was is null or usual < was then 1 else -1 end as amount
    from habits cross join lateral (${aged(
      sql`(
        ${between(sql`customer_id = habits.customer_id`)} union all
        ${between(sql`customer_id is null and invoice_id = habits.own_invoice_id`)}
      ) as changed`,
      day,
      1,
    )}) as debt
    where usual is distinct from was`;
}

/** The invoices with a debt whose customer usually pays it between two days. */
export function crossingUsual(tenantId: SqlPart, from: SqlPart, to: SqlPart) {
  const usual = usualDelay("customer");
  const crossing = (which: SqlPart): SqlPart => sql`
    select debt.invoice_id from aging_customers as customer join aging_debts as debt
      on debt.tenant_id = ${tenantId} and ${which} and debt.currency = customer.currency
      and debt.due_date >= least(${from}::date, ${to}::date) - ${usual}
      and debt.due_date < greatest(${from}::date, ${to}::date) - ${usual}
    where customer.tenant_id = ${tenantId}`;
  const ownInvoice = sql`substr(customer.customer_key, ${sql.lit(UNASSIGNED.length + 1)})::uuid`;
  return sql`${crossing(sql`debt.customer_id = customer.customer_id`)} union
    ${crossing(sql`debt.customer_id is null and debt.invoice_id = ${ownInvoice}`)} and customer.customer_id is null`;
}
