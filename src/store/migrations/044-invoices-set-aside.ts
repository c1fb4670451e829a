import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const STATEMENTS = [
  "alter table sync_runs add column invoices_set_aside integer not null default 0",
  `create table set_aside_invoices (
    tenant_id uuid not null references tenants,
    connection_id uuid not null,
    erp_invoice_id bigint not null,
    sync_run_id uuid not null,
    invoice_number text,
    field text not null,
    value text,
    problem text not null,
    since timestamptz(3) not null,
    primary key (tenant_id, connection_id, erp_invoice_id),
    foreign key (tenant_id, connection_id) references erp_connections
  )`,
  ...wall("set_aside_invoices").split(";\n"),
];

/** An invoice that a sync cannot read is set aside, and named to people until one can. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) if (statement.trim() !== "") await sql.raw(statement).execute(db);
}
