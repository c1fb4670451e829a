import { sql } from "kysely";
import { foundCurrencies } from "../../store/aging/found-currencies.ts";
import { ROLLUP_DAY } from "../../store/aging/rollup-version.ts";
import { readUpToOf } from "../../store/change-stamps.ts";
import { preparedStatement } from "../../store/prepared.ts";
import type { Transaction } from "../../store/store.ts";
import { UNKNOWN_CURRENCY } from "./buckets.ts";

/** What a workspace says about all its reports. */
interface AgingWorkspace {
  timezone: string;
  /** The day of its roll-up; null before one is built. */
  as_of: string | null;
  /** The instant before which every change is in what is read (completions §13). */
  read_up_to: string;
  /** Currencies of its invoices that are not retired, in order of code. */
  currencies: string[];
  /** When a record last changed; null without records. */
  data_updated_at: string | null;
  /** Another text whenever records, the freshness or name of an ERP, or what can be charged has changed. */
  state: string;
}

const WORKSPACE = preparedStatement<{ tenantId: string }, AgingWorkspace>((db, value) => {
  const tenantId = value("tenantId");
  return sql<AgingWorkspace>`
    with recursive ${foundCurrencies(tenantId)}
    select timezone,
      (select ${ROLLUP_DAY} from aging_state where tenant_id = ${tenantId}) as as_of,
      ${readUpToOf(tenantId)} as read_up_to,
      array(
        select currency from found where currency is not null
        union all
        select ${sql.lit(UNKNOWN_CURRENCY)} where exists
          (select from invoices where tenant_id = ${tenantId} and retired_at is null and currency is null)
      ) as currencies,
      (select max(updated_at) from invoices where tenant_id = ${tenantId}) as data_updated_at,
      json_build_array(
        (select stamped_at from aging_state where tenant_id = ${tenantId}),
        (select json_agg(json_build_array(connection_id, name, last_successful_sync_at) order by connection_id)
          from erp_connections where tenant_id = ${tenantId}),
        (select json_agg(currencies order by payment_integration_id)
          from payment_integrations where tenant_id = ${tenantId} and status = 'connected')
      )::text as state
    from tenants where tenant_id = ${tenantId}`.compile(db);
});

export async function agingWorkspace(tx: Transaction, tenantId: string): Promise<AgingWorkspace> {
  const [found] = await WORKSPACE(tx, { tenantId });
  if (found === undefined) throw new Error("the workspace is gone");
  return { ...found, currencies: found.currencies.sort() };
}
