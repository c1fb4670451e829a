import { sql } from "kysely";
import { columns } from "../recordset.ts";
import { here } from "../tenancy/here.ts";
import { customerKey, type SqlPart } from "./rollup-parts.ts";

/** Columns of `aging_days` but the tenant, those of its key first. */
export const DAY_COLUMNS: readonly string[] = [
  ...["currency", "due_date", "collectible", "reason"],
  ...["amount", "debts", "digest"],
];

/** What each debt of a table adds to its day, `sign` times; `owner` has the identities of their customers. */
const dayOfEach = (table: "fresh" | "stale", owner: "after" | "before", sign: 1 | -1): SqlPart => sql`
  select debt.currency, debt.due_date, debt.collectible, coalesce(debt.not_collectible_reason, '') as reason,
    ${sql.lit(sign)} * debt.amount as amount, ${sql.lit(sign)} as debts,
    ${sql.lit(sign)} * (debt.digest + owner.identity) as digest
  from ${sql.table(table)} as debt join ${sql.table(owner)} as owner
    on owner.customer_key = ${customerKey("debt")} and owner.currency = debt.currency`;

/**
 * What the debts that stay of customers with other names than before add to their days. Those that come are named too: Citus
 * reads `aging_debts` when they have been written.
 */
const dayOfRenamed = (tenantId: SqlPart): SqlPart => sql`
  select debt.currency, debt.due_date, debt.collectible, coalesce(debt.not_collectible_reason, ''), 0, 0,
    after.identity - before.identity
  from before join after using (customer_key, currency) join aging_debts as debt on debt.tenant_id = ${tenantId}
    and debt.customer_id = after.customer_id and debt.currency = after.currency
  where before.identity <> after.identity and not exists (
    select from (select invoice_id, debt_id from stale union all select invoice_id, debt_id from fresh) as moved
    where moved.invoice_id = debt.invoice_id and moved.debt_id = debt.debt_id
  )`;

const summed = (moves: SqlPart): SqlPart => sql`
  select currency, due_date, collectible, reason, sum(amount) as amount, sum(debts) as debts, sum(digest) as digest
  from (${moves}) as moved group by currency, due_date, collectible, reason`;

/** Rows of `aging_days` for all debts in `fresh`. */
export const freshDays: SqlPart = summed(dayOfEach("fresh", "after", 1));

/** Adds the difference between `stale` and `fresh`, and between their customers' names, to the days they are due. */
export const writeDays = (tenantId: SqlPart): SqlPart => sql`
  days_written as (
    insert into aging_days as day (tenant_id, ${columns(DAY_COLUMNS)})
    select here.tenant_id, ${columns(DAY_COLUMNS)} from (${summed(sql`
      ${dayOfEach("fresh", "after", 1)} union all ${dayOfEach("stale", "before", -1)}
      union all ${dayOfRenamed(tenantId)}`)}) as changed cross join ${here(tenantId)}
    where row(amount, debts, digest) <> row(0, 0, 0)
    on conflict (tenant_id, currency, due_date, collectible, reason) do update set amount = day.amount + excluded.amount,
      debts = day.debts + excluded.debts, digest = day.digest + excluded.digest
  )`;

/** Deletes the days on which nothing is due any more. */
export const emptyDays = (tenantId: SqlPart): SqlPart => sql`
  delete from aging_days where tenant_id = ${tenantId} and debts = 0`;
