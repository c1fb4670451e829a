import { type Kysely, sql } from "kysely";

/** For filters that few rows of a large book match; the others are answered by the indexes of 001. */
const INDEXES = [
  "create index invoices_by_currency on invoices (tenant_id, currency, created_at, invoice_id)",
  `create index invoices_by_push_state on invoices (tenant_id, erp_push_state, created_at, invoice_id)
     where erp_push_state is not null`,
  "create index invoices_held on invoices (tenant_id, created_at, invoice_id) where has_held_payment",
  "create index invoices_linked on invoices (tenant_id, created_at, invoice_id) where has_active_payment_link",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of INDEXES) await sql.raw(statement).execute(db);
}
