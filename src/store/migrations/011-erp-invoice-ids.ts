import { type Kysely, sql } from "kysely";
import { renewPrimaryKey } from "./renew-primary-key.ts";

/**
 * Ids that an ERP gives its invoices are whole numbers of 64 bits: below row level security an index answers comparisons of
 * these, and not those of `numeric`, for which each page of a pull looked through all invoices of its connection.
 */
const STATEMENT = "alter table invoices alter column erp_invoice_id type bigint";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENT).execute(db);
  await renewPrimaryKey(db, "invoices");
}
