import { type RawBuilder, type SqlBool, sql } from "kysely";

/**
 * Whether a pull from `pullFrom` on reads an invoice, by its alias in a statement. What is dated before is neither missing nor
 * retired, so that changing `pull_invoice_date_from` deletes nothing (service.md §2.2). Null is no limit.
 */
export function isInPullWindow(invoice: string, pullFrom: string | null): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${pullFrom}::date is null or ${sql.ref(`${invoice}.invoice_date`)} >= ${pullFrom}::date)`;
}
