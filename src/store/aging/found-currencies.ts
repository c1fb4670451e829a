import { sql } from "kysely";
import type { SqlPart } from "./rollup-parts.ts";

/**
 * What follows `with recursive`: in `found`, the currencies of a tenant's invoices that are not retired, and null after the last. Each
 * is looked up from the one before, however many invoices it has.
 */
export const foundCurrencies = (tenantId: SqlPart): SqlPart => sql`
  found as (
    (select currency from invoices where tenant_id = ${tenantId} and retired_at is null and currency is not null
      order by currency limit 1)
    union all
    select (select currency from invoices where tenant_id = ${tenantId} and retired_at is null
      and currency > found.currency order by currency limit 1)
    from found where found.currency is not null
  )`;
