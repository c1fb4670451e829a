import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const TABLE = `
create table idempotency_records (
  tenant_id uuid not null references tenants,
  caller text not null,
  operation text not null,
  idempotency_key text not null,
  request_hash text not null,
  response text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, caller, operation, idempotency_key)
);
create index idempotency_records_by_age on idempotency_records (created_at);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...TABLE.split(";\n"), ...wall("idempotency_records").split(";\n")]) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}
