import { z } from "zod";
import type { ErpConnectionRow } from "../../../store/tables/erp.ts";
import { lockConnection, updateConnection } from "../../erp-access/connection-queries.ts";
import { ErpConnection, PaymentPushMode, SyncInterval } from "../../erp-access/schema.ts";
import type { ActorOf } from "../../gate/actor.ts";
import { changedSettings } from "../../gate/audit.ts";
import { operation, ROUTE_CALLERS, type RunContext } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { readConnection } from "./list-erp-connections.ts";

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
  run: (context, { connection_id: connectionId, interval_minutes: minutes, enabled }) =>
    changeSettings(context, connectionId, { auto_sync_enabled: enabled, auto_sync_interval_minutes: minutes }),
});

/** completions §5. Throws `not_found`. */
export const setPaymentPushMode = operation({
  id: "setPaymentPushMode",
  tag: "ERP connections",
  summary: "Push receipts at once, or hold them",
  description: "`automatic` pushes the receipt of a payment when it is confirmed; `held` keeps it until it is pushed.",
  callers: ROUTE_CALLERS,
  permission: "admin",
  scope: null,
  sideEffects:
    "Receipts of payments confirmed from now on are pushed to the ERP at once, or held; held ones stay held.",
  input: z.strictObject({
    connection_id: Uuid.describe("ERP connection id"),
    mode: PaymentPushMode.describe("`held`: receipts wait until they are pushed"),
  }),
  output: z.strictObject({ connection_id: Uuid, mode: PaymentPushMode }),
  async run(context, { connection_id: connectionId, mode }) {
    await changeSettings(context, connectionId, { payment_push_mode: mode });
    return { connection_id: connectionId, mode };
  },
});

/** Changes settings of a connection, and reads it as callers see it. Throws `not_found`. */
async function changeSettings(
  { actor, tx, audit }: RunContext<ActorOf<(typeof ROUTE_CALLERS)[number]>>,
  connectionId: string,
  settings: Partial<ErpConnectionRow>,
) {
  const before = orNotFound(await lockConnection(tx, actor.tenantId, connectionId), "ERP connection");
  await updateConnection(tx, before, settings);
  const details = changedSettings(before, settings);
  audit("changed" in details ? { type: "erp_connection", id: connectionId, details } : null);
  return readConnection(tx, actor.tenantId, connectionId);
}
