import type { Transaction } from "../../store/store.ts";

/** A workspace and the day its roll-up stands at. */
export interface RollupDay {
  tenant_id: string;
  timezone: string;
  as_of: string | null;
}

/** Every workspace, in a transaction of the system. */
export function rollupDays(tx: Transaction): Promise<RollupDay[]> {
  return tx
    .selectFrom("tenants")
    .leftJoin("aging_state", "aging_state.tenant_id", "tenants.tenant_id")
    .select(["tenants.tenant_id", "tenants.timezone", "aging_state.as_of"])
    .execute();
}
