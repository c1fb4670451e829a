import { type Kysely, sql } from "kysely";
import { renewPrimaryKey } from "./renew-primary-key.ts";

/** Ranges of the invoice list are sorted by creation time from the index alone (../keyset.ts, "few"). */
const STATEMENTS = [
  "drop index invoices_by_due_date",
  `create index invoices_by_due_date on invoices (tenant_id, collection_due_date)
     include (created_at, invoice_id, collection_status, has_active_payment_link, currency)`,
  "drop index invoices_by_update",
  "create index invoices_by_update on invoices (tenant_id, updated_at) include (created_at, invoice_id)",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  for (const table of ["invoices", "erp_connections", "assistant_connections"]) await renewPrimaryKey(db, table);
}
