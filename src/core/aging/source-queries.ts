import { sql } from "kysely";
import type { SqlPart } from "../../store/aging/rollup-parts.ts";
import type { AgingQuery } from "./aging-query.ts";
import { debtConditions } from "./debt-queries.ts";

/** `sources`: the ERPs that rows are from, by currency: of a table that has them, or looked for among the debts. */
export function sources(query: AgingQuery, table: "matched" | "summed" | null): SqlPart {
  const { tenantId, currency } = query;
  if (table !== null) return sql`sources as (select distinct currency, connection_id from ${sql.table(table)})`;
  // Order and limit have each pair looked up in an index: as a join all debts that match may be read.
  return sql`sources as (
      select total.currency, erp.connection_id
      from (select currency from aging_totals where tenant_id = ${tenantId}
        and ${currency === undefined ? sql`true` : sql`currency = ${currency}`}) as total
      cross join (select connection_id from erp_connections where tenant_id = ${tenantId}) as erp
      where (
        select true from aging_debts as debt where ${debtConditions(query, "not_collectible_reason")}
          and debt.currency = total.currency and debt.connection_id = erp.connection_id
        order by debt.due_date limit 1
      )
    )`;
}

/** How old a currency's rows are: when the ERP among its `sources` that was read longest ago was; null if one never was. */
export const asOfCurrency = (tenantId: string, currency: string): SqlPart => sql`(
  select case when bool_and(last_successful_sync_at is not null) then min(last_successful_sync_at) end
  from sources join erp_connections as erp on erp.tenant_id = ${tenantId} and erp.connection_id = sources.connection_id
  where sources.currency = ${sql.ref(currency)})`;

/** How old a row is that has its ERP, if any. */
export const asOfRow = (tenantId: string, row: string): SqlPart => sql`(
  select last_successful_sync_at from erp_connections
  where tenant_id = ${tenantId} and connection_id = ${sql.ref(`${row}.connection_id`)})`;
