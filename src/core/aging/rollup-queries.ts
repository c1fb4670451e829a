import { sql } from "kysely";
import { ROLLUP_DAY } from "../../store/aging/rollup-version.ts";
import type { Shards } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";

/** A workspace and the day of its roll-up. */
interface RollupDay {
  tenant_id: string;
  timezone: string;
  as_of: string | null;
}

/**
 * Every workspace with a roll-up to keep at the day. One that is not built waits for
 * invoices, and for a pull under way to end: all of a book at once costs less than page by page.
 */
export async function rollupDays(tx: Transaction, shards: Shards) {
  const { rows } = await sql<RollupDay>`
    select tenants.tenant_id, timezone, ${ROLLUP_DAY} as as_of from tenants left join aging_state using (tenant_id)
    where ${shards.has(sql.ref("tenants.tenant_id"))} and (as_of is not null or (
      exists (select from invoices where invoices.tenant_id = tenants.tenant_id)
      and not exists (select from sync_runs where sync_runs.tenant_id = tenants.tenant_id and status = 'running')
    ))`.execute(tx);
  return rows;
}
