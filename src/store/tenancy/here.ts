import { sql } from "kysely";

/**
 * The tenant of a statement, as the table `here`. What an insert selects from other parts of its statement is joined with it and
 * takes its `tenant_id`: where tenants lie on workers it then goes to the tenant's shard, and otherwise to every worker.
 */
export const here = (tenantId: unknown) =>
  sql`(select tenant_id from tenants where tenant_id = ${tenantId}::uuid) as here`;
