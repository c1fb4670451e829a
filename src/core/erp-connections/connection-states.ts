import type { Core } from "../gate/dependencies.ts";
import { latestRunOf, type SyncRunRecord } from "../sync-runs/queries.ts";
import { connectionsOf } from "./connection-queries.ts";
import { asOperatorConnection, type OperatorConnection } from "./operator-connection.ts";
import { type Remains, remainsOf } from "./remains-queries.ts";
import { twinOf } from "./twins.ts";

/** A connection with the run that was started last; null before the first. */
export interface ErpConnectionState {
  connection: OperatorConnection;
  latestRun: SyncRunRecord | null;
  /** The same ERP connected as the same user once more; null where it is not, or this one is disconnected. */
  twin: OperatorConnection | null;
}

/** How a workspace's connections stand, oldest first: what its admins judge by whether figures are fresh. */
export function erpConnectionStates(core: Pick<Core, "store">, tenantId: string): Promise<ErpConnectionState[]> {
  return core.store.read(tenantId, async (tx) => {
    const states: ErpConnectionState[] = [];
    const rows = await connectionsOf(tx, tenantId);
    for (const row of rows) {
      const latestRun = (await latestRunOf(tx, tenantId, row.connection_id)) ?? null;
      const others = rows.filter((other) => other !== row && row.status !== "disconnected");
      const twin = twinOf(row, others);
      states.push({
        connection: asOperatorConnection(row),
        latestRun,
        twin: twin === null ? null : asOperatorConnection(twin),
      });
    }
    return states;
  });
}

/** What hangs on a connection that is about to be disconnected. */
export function erpRemains(core: Pick<Core, "store">, tenantId: string, connectionId: string): Promise<Remains> {
  return core.store.read(tenantId, (tx) => remainsOf(tx, { tenant_id: tenantId, connection_id: connectionId }));
}
