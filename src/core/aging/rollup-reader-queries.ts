import { sql } from "kysely";
import { advanceAging } from "../../store/aging/rollup.ts";
import { preparedStatement } from "../../store/prepared.ts";
import type { AgingReader, AgingWorkspace } from "./aging-query.ts";
import { UNKNOWN_CURRENCY } from "./buckets.ts";
import { readCustomers } from "./customer-queries.ts";
import { readInstallments, readTotals } from "./installment-queries.ts";
import { sliceOf } from "./slice.ts";

const NOTHING = { totals: [], rows: [], rowCount: 0 };

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

/** Reads the report from the roll-up that every writer keeps (src/store/aging/rollup.ts). */
export const rollupReader: AgingReader = {
  async workspace(tx, tenantId) {
    const [found] = await WORKSPACE(tx, { tenantId });
    if (found === undefined) throw new Error("the workspace is gone");
    return {
      timezone: found.timezone,
      asOf: found.as_of,
      currencies: found.currencies.sort(),
      dataUpdatedAt: found.data_updated_at,
    } satisfies AgingWorkspace;
  },

  async totals(tx, query) {
    const slice = sliceOf(query);
    return slice === null ? [] : readTotals(tx, query, slice);
  },

  async customers(tx, query, page) {
    const slice = sliceOf(query);
    return slice === null ? NOTHING : readCustomers(tx, query, slice, page);
  },

  async installments(tx, query, page) {
    const slice = sliceOf(query);
    return slice === null ? NOTHING : readInstallments(tx, query, slice, page);
  },

  advance: advanceAging,
};
