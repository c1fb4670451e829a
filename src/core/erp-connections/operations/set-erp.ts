import { assertNothingUnseen } from "../../erp-access/assert-seen.ts";
import { forgetContactNames } from "../../erp-access/connection-queries.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { interruptRunOf } from "../../sync-runs/finish-run.ts";
import { ConnectionSettings } from "../connection-input.ts";
import { changeConnection, OperatorConnection } from "../operator-connection.ts";

/** Changes the settings that are given, the rest stays. Throws `not_found`, and `conflict` for older invoices while a workflow is on. */
export const setErp = operation({
  id: "setErp",
  summary: "Change how a connection is used",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "Switching sync off ends a run in flight; without contact names, those there are forgotten.",
  input: ConnectionSettings,
  output: OperatorConnection,
  async run(context, { connectionId, ...given }) {
    const { tx, actor, core, now } = context;
    const { tenantId } = actor;
    const changed = await changeConnection(context, connectionId, async (connection) => {
      if (given.sync === false) await interruptRunOf(tx, core, { tenantId, connectionId }, "switched_off");
      if (given.contactName === false) await forgetContactNames(tx, connection, now);
      return {
        name: given.name === undefined ? connection.name : given.name,
        sync_enabled: given.sync ?? connection.sync_enabled,
        auto_sync_enabled: given.autoSync ?? connection.auto_sync_enabled,
        auto_sync_interval_minutes: given.intervalMinutes ?? connection.auto_sync_interval_minutes,
        pull_invoice_date_from: given.pullFrom === undefined ? connection.pull_invoice_date_from : given.pullFrom,
        pull_contact_name: given.contactName ?? connection.pull_contact_name,
        apply_mode: given.applyMode ?? connection.apply_mode,
        receipt_method: given.receiptMethod ?? connection.receipt_method,
        payment_push_mode: given.paymentPushMode ?? connection.payment_push_mode,
      };
    });
    if (given.pullFrom !== undefined) await assertNothingUnseen(tx, tenantId);
    return changed;
  },
});
