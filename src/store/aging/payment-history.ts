import { sql } from "kysely";
import { contentOf, digest, type SqlPart } from "./rollup-parts.ts";

/** Of fewer payments nothing is concluded (completions §10). */
export const FEWEST_PAYMENTS = 3;

/** Days after its due date on which a customer of a table usually pays a debt; half a day rounds to the later day. */
export const usualDelay = (customer: string): SqlPart => sql`
  case when ${sql.ref(`${customer}.paid_installments`)} >= ${sql.lit(FEWEST_PAYMENTS)}
    then floor(${sql.ref(`${customer}.median_days_late`)} + 0.5)::integer end`;

/** The first day of a payment history: the same day two years ago. */
export const historyStart = (day: SqlPart): SqlPart => sql`(${day}::date - interval '2 years')::date`;

/**
 * `learned`: payment histories of the customers in a table `learning` (key, id, or the invoice that is its own customer)
 * on a day, from the closings that are kept; a customer without closings has no row.
 */
export const learnedHistories = (tenantId: SqlPart, day: SqlPart): SqlPart => sql`
  lately as (
    select learning.customer_key, closing.days_late from learning join aging_closings as closing
      on closing.tenant_id = ${tenantId} and closing.customer_id = learning.customer_id
    where closing.closed_on >= ${historyStart(day)}
    union all
    select learning.customer_key, closing.days_late from learning join aging_closings as closing
      on closing.tenant_id = ${tenantId} and closing.invoice_id = learning.own_invoice_id and closing.customer_id is null
    where closing.closed_on >= ${historyStart(day)}
  ),
  figured as (
    select customer_key, count(*)::integer as paid_installments,
      round((percentile_cont(0.5) within group (order by days_late))::numeric, 1) as median_days_late,
      round(avg(days_late), 1) as average_days_late, round(avg((days_late <= 0)::integer), 2) as on_time_share
    from lately group by customer_key
  ),
  learned as materialized (
    select figured.*, ${digest(sql`content`)} as history
    from figured cross join lateral (select ${contentOf(sql`figured`)} as content) as hashed
  )`;
