import { z } from "zod";
import { updateSettings } from "../../erp-access/connection-queries.ts";
import { ErpConnection, SyncInterval } from "../../erp-access/schema.ts";
import { operation, ROUTE_CALLERS } from "../../gate/operation.ts";
import { notFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";

/** service.md §4.7. Throws `not_found`. */
export const setErpSyncSchedule = operation({
  id: "setErpSyncSchedule",
  tag: "ERP connections",
  summary: "Set the automatic sync",
  description: "The interval is a floor: the connection is pulled on the first check after it has passed.",
  errors: ["conflict"],
  callers: ROUTE_CALLERS,
  permission: "admin",
  scope: null,
  sideEffects: "Automatic pulls run at the new interval, or stop; manual pulls work regardless.",
  input: z.strictObject({
    connection_id: Uuid.describe("ERP connection id"),
    interval_minutes: SyncInterval.describe("Kept while automatic pulls are off"),
    enabled: z.boolean().describe("Whether automatic pulls run at all"),
  }),
  output: ErpConnection,
  async run({ actor, tx, audit }, { connection_id: connectionId, interval_minutes: minutes, enabled }) {
    const updated = await updateSettings(
      tx,
      { tenantId: actor.tenantId, connectionId },
      { auto_sync_enabled: enabled, auto_sync_interval_minutes: minutes },
    );
    if (updated === undefined) throw notFound("ERP connection");
    audit(updated.isChanged ? { type: "erp_connection", id: connectionId } : null);
    return updated.connection;
  },
});
