import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { wall } from "./wall.ts";

/** Files of `../schema`, each after those it refers to, with the tables of theirs that are tenants'. */
const FILES = {
  workspace: ["tenants", "members", "invitations", "tenant_routes"],
  identity: [
    ...["sign_in_providers", "sign_in_domains", "sign_in_rules", "member_identities"],
    ...["assistant_connections", "external_connections", "api_keys", "rate_windows"],
  ],
  requests: ["idempotency_records"],
  audit: ["audit_entries"],
  erp: ["erp_connections", "sync_runs", "set_aside_invoices"],
  invoices: ["customers", "customer_notes", "invoices", "installments"],
  payments: ["payment_integrations", "payments", "attention_items"],
  "payment-links": ["payment_links", "link_emails"],
  workflows: ["tasks", "workflows", "workflow_executions", "workflow_work"],
  mail: ["outgoing_mails", "member_news", "mail_settings", "customer_mailing"],
  aging: [
    ...["aging_state", "aging_debts", "aging_customers", "aging_totals", "aging_days", "aging_closings"],
    ...["invoice_figures", "invoice_totals"],
  ],
  changes: ["change_stamps", "renamed_members"],
};

/** The schema of version 0.1.0. Both stores run the same text, as PostgreSQL 15 reads it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, tables] of Object.entries(FILES)) {
    await sql.raw(readFileSync(join(import.meta.dirname, "../schema", `${name}.sql`), "utf8")).execute(db);
    for (const table of tables) await wall(db, table);
  }
}
