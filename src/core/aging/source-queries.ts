import { sql } from "kysely";

/** Of a group of {@link withErps}: when the one of its ERPs was last read that was read longest ago; null if one never was, and without an ERP. */
export const OLDEST = sql`case when bool_and(erp.last_successful_sync_at is not null or erp.connection_id is null)
  then min(erp.last_successful_sync_at) end`;

/** Rows of a table beside the ERPs that they are from, if any. */
export const withErps = (tenantId: string, table: "matched" | "summed") => sql`${sql.table(table)}
  left join (select connection_id, last_successful_sync_at from erp_connections where tenant_id = ${tenantId}) as erp
    on erp.connection_id = ${sql.ref(`${table}.connection_id`)}`;

/** How old a row is that has its ERP, if any. */
export const asOfRow = (tenantId: string, row: string) => sql`(
  select last_successful_sync_at from erp_connections
  where tenant_id = ${tenantId} and connection_id = ${sql.ref(`${row}.connection_id`)})`;
