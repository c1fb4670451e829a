import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { interruptRunOf } from "../../sync-runs/finish-run.ts";
import { changeConnection, OperatorConnection } from "../operator-connection.ts";
import { Remains, remainsOf } from "../remains-queries.ts";

/** Switches a connection off and forgets its credential; what it brought in stays, and `remains` counts that. Throws `not_found`. */
export const disconnectErp = operation({
  id: "disconnectErp",
  summary: "Switch a connection off and forget its password; what it brought in stays",
  ...SETTINGS_CHANGE,
  sideEffects: "A run in flight ends, receipts wait, and Auto Generate makes no links for the connection's invoices.",
  input: z.strictObject({ connectionId: Uuid }),
  output: OperatorConnection.extend({ remains: Remains }),
  async run(context, { connectionId }) {
    const { tx, actor, core } = context;
    const { tenantId } = actor;
    const disconnected = await changeConnection(context, connectionId, async () => {
      await interruptRunOf(tx, core, { tenantId, connectionId }, "disconnected");
      return { status: "disconnected", credential: null };
    });
    return { ...disconnected, remains: await remainsOf(tx, { tenant_id: tenantId, connection_id: connectionId }) };
  },
});
