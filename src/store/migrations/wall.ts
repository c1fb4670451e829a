import { type Kysely, sql } from "kysely";

/**
 * Row level security for one table of tenants: a tenant sees its own rows, the system role (sign-in, authority, job scans)
 * sees all, and whoever set nothing sees nothing.
 */
export async function wall(db: Kysely<unknown>, table: string): Promise<void> {
  await sql
    .raw(`
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy one_tenant on ${table} to receivables_tenant
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy every_tenant on ${table} to receivables_system using (true);
grant select, insert, update, delete on ${table} to receivables_tenant, receivables_system`)
    .execute(db);
}
