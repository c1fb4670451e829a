import { type RawBuilder, sql } from "kysely";
import { anyOf, assignments, columns } from "../recordset.ts";
import type { Transaction } from "../tables/index.ts";
import { here } from "../tenancy/here.ts";
import { customerKey, isIn, type SqlPart } from "./rollup-parts.ts";

/** Columns of `aging_closings` but the tenant, those of its key first. */
export const CLOSING_COLUMNS: readonly string[] = [
  ...["invoice_id", "installment_id"],
  ...["customer_id", "closed_on", "days_late"],
];

/**
 * The installments that count in a customer's payment history (completions §10), whenever they were closed, of the invoices
 * that a condition on `invoice_id` lets through, retired ones too.
 */
export const freshClosings = (tenantId: SqlPart, which: SqlPart): SqlPart => sql`
  select own.invoice_id, part.installment_id, own.customer_id, part.closed_on, part.closed_on - part.due_date as days_late
  from (select invoice_id, customer_id from invoices where tenant_id = ${tenantId} and ${which}) as own
  join installments as part on part.tenant_id = ${tenantId} and part.invoice_id = own.invoice_id
  where part.closed and part.closed_on is not null and part.due_date is not null and part.removed_at is null`;

const isSame = sql`fresh.invoice_id = stale.invoice_id and fresh.installment_id = stale.installment_id`;
const isEqual = sql`${isSame} and fresh.customer_id is not distinct from stale.customer_id
  and fresh.closed_on = stale.closed_on and fresh.days_late = stale.days_late`;

/** Makes the closings of some invoices what they should be; answers the keys of customers that got or lost one. */
const recompute = (tenantId: SqlPart, which: SqlPart): RawBuilder<{ customer_key: string }> => sql`
  with fresh as materialized (${freshClosings(tenantId, which)}),
  stale as materialized (select * from aging_closings where tenant_id = ${tenantId} and ${which}),
  gone as materialized (
    select stale.invoice_id, stale.installment_id from stale where not exists (select from fresh where ${isSame})
  ),
  deleted as (
    delete from aging_closings where tenant_id = ${tenantId} and ${isIn("gone", ["invoice_id", "installment_id"])}
  ),
  written as (
    insert into aging_closings (tenant_id, ${columns(CLOSING_COLUMNS)})
    select here.tenant_id, ${columns(CLOSING_COLUMNS, "fresh")} from fresh cross join ${here(tenantId)}
    where not exists (select from stale where ${isEqual})
    on conflict (tenant_id, invoice_id, installment_id) do update set ${assignments(CLOSING_COLUMNS.slice(2), "excluded")}
  )
  select ${customerKey("stale")} as customer_key from stale where not exists (select from fresh where ${isEqual})
  union
  select ${customerKey("fresh")} from fresh where not exists (select from stale where ${isEqual})`;

/** {@link recompute} for some invoices. The caller holds the roll-up's lock. */
export async function recomputeClosings(
  tx: Transaction,
  tenantId: string,
  invoices: readonly string[],
): Promise<string[]> {
  const { rows } = await recompute(sql`${tenantId}`, sql`invoice_id = ${anyOf(invoices, "uuid")}`).execute(tx);
  return rows.map((row) => row.customer_key);
}
