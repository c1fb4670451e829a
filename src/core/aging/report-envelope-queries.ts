import { sql } from "kysely";
import { preparedStatement } from "../../store/prepared.ts";
import type { Transaction } from "../../store/store.ts";
import type { AgingWorkspace } from "./aging-query.ts";
import { UNKNOWN_CURRENCY } from "./buckets.ts";

interface WorkspaceRow {
  timezone: string;
  as_of: string | null;
  currencies: string[];
  data_updated_at: string | null;
}

/** Each currency is looked up from the one before, however many invoices it has. */
const WORKSPACE = preparedStatement<{ tenantId: string }, WorkspaceRow>((db, value) => {
  const tenantId = value("tenantId");
  return sql<WorkspaceRow>`
    with recursive found as (
      (select currency from invoices where tenant_id = ${tenantId} and retired_at is null and currency is not null
        order by currency limit 1)
      union all
      select (select currency from invoices where tenant_id = ${tenantId} and retired_at is null
        and currency > found.currency order by currency limit 1)
      from found where found.currency is not null
    )
    select timezone,
      (select as_of from aging_state where tenant_id = ${tenantId}) as as_of,
      array(
        select currency from found where currency is not null
        union all
        select ${sql.lit(UNKNOWN_CURRENCY)} where exists
          (select from invoices where tenant_id = ${tenantId} and retired_at is null and currency is null)
      ) as currencies,
      (select max(updated_at) from invoices where tenant_id = ${tenantId}) as data_updated_at
    from tenants where tenant_id = ${tenantId}`.compile(db);
});

/** What a workspace says about all its reports. */
export async function agingWorkspace(tx: Transaction, tenantId: string): Promise<AgingWorkspace> {
  const [found] = await WORKSPACE(tx, { tenantId });
  if (found === undefined) throw new Error("the workspace is gone");
  return {
    timezone: found.timezone,
    asOf: found.as_of,
    currencies: found.currencies.sort(),
    dataUpdatedAt: found.data_updated_at,
  };
}
