import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { queueOpenInvoices } from "../../collection/to-examine-queries.ts";
import { assertErpsSeen } from "../../erp-access/assert-seen.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { lockTenantFigures } from "../../provider-access/integration-queries.ts";
import { changedWorkflow, planEnabling } from "../plan-enabling.ts";
import { assertConfirmed, Confirmed, EnablingPlan } from "../plan-schema.ts";
import { rescheduleEmails } from "../reschedule-emails.ts";
import { asOperatorWorkflow, Enable, OperatorWorkflow } from "../settings.ts";
import { upsertWorkflow } from "../settings-queries.ts";

/**
 * Turns a workflow on, or changes the settings of an enabled one, and queues every open invoice for it (completions §7); the plan
 * says what that will do. Settings that are not given keep their values. Throws `validation_failed`,
 * `conflict` before an ERP is synced, and ConfirmationNeeded for much at once that is not confirmed.
 */
export const enableWorkflow = operation({
  id: "enableWorkflow",
  summary: "Turn a workflow on, or change its settings; what is left out stays as it was",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "It opens tasks, or makes payment links and mails them, for the open invoices that it matches.",
  input: z.strictObject({ ...Enable.shape, confirmed: Confirmed }),
  output: OperatorWorkflow.extend({ plan: EnablingPlan }),
  // The plan looks at every open invoice: deliveries and payments go on meanwhile.
  async prepare({ actor, core }, { confirmed, ...given }) {
    const plan = await planEnabling(core, actor.tenantId, given);
    assertConfirmed(plan, confirmed);
    return plan;
  },
  async run({ tx, core, actor, audit }, { confirmed: _, ...given }, plan) {
    const { tenantId } = actor;
    // Deliveries queue nothing for workflows that are off: they wait here, or are looked at with all the others.
    await lockTenantFigures(tx, tenantId);
    await assertErpsSeen(tx, tenantId);
    const { row, stored } = await changedWorkflow(tx, core, tenantId, given);
    await upsertWorkflow(tx, row);
    const isMoved = stored?.send_at !== row.send_at || stored.days_before_due !== row.days_before_due;
    await rescheduleEmails(tx, core, row, { isMoved });
    await queueOpenInvoices(tx, core, tenantId);
    const isSame = isDeepStrictEqual({ ...row, updated_at: stored?.updated_at }, stored);
    audit(isSame ? null : { type: "workflow", id: row.workflow_id });
    return { ...(await asOperatorWorkflow(tx, row)), plan };
  },
});
