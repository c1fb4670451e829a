import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { lockTenantFigures } from "../../collection/collection-queries.ts";
import { queueOpenInvoices } from "../../collection/to-examine-queries.ts";
import { assertErpsSeen } from "../../erp-access/assert-seen.ts";
import { changedSettings } from "../../gate/audit.ts";
import { ADMINS_READ, operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { instantsOf } from "../../gate/retry.ts";
import { orNotFound } from "../../kernel/error.ts";
import { cancelWorkflowEmails, messagesOf, scheduledMessages } from "../../payment-links/emails/link-email-queries.ts";
import { timezoneOf } from "../../workspace/workspace-queries.ts";
import { changedWorkflow, planEnabling, planGiven } from "../plan-enabling.ts";
import { assertConfirmed, Confirmed, EnablingPlan } from "../plan-schema.ts";
import { movesEmails, rescheduleEmails } from "../reschedule-emails.ts";
import { ScheduledMessages } from "../schema.ts";
import { asOperatorWorkflow, Enable, OperatorWorkflow } from "../settings.ts";
import { upsertWorkflow, workflowsOf } from "../settings-queries.ts";

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
    await rescheduleEmails(tx, core, row, { isMoved: movesEmails(row, stored) });
    await queueOpenInvoices(tx, core, tenantId);
    const isSame = isDeepStrictEqual({ ...row, updated_at: stored?.updated_at }, stored);
    const {
      tenant_id: _tenant,
      workflow_id: _id,
      type: _type,
      created_at: _created,
      updated_at: _now,
      ...settings
    } = row;
    const details = changedSettings(stored ?? {}, settings);
    audit(isSame ? null : { type: "workflow", id: row.workflow_id, details });
    return { ...(await asOperatorWorkflow(tx, row)), plan };
  },
});

/** What enabling a workflow with the same settings would do (completions §7). Throws `validation_failed`, and `conflict` before an ERP is synced. */
export const planWorkflow = operation({
  id: "planWorkflow",
  summary: "Say what a workflow would do",
  errors: ["conflict"],
  ...ADMINS_READ,
  input: Enable.extend({ skip: z.int().min(0).default(0).describe("Recipients before those that it names") }),
  output: EnablingPlan,
  run: ({ tx, core, actor }, given) => planGiven(tx, core, actor.tenantId, given),
});

/**
 * Turns a workflow off. Emails that it scheduled and that are not being sent are cancelled, unless `keepScheduled`;
 * tasks and links it made stay. Throws `not_found`.
 */
export const disableWorkflow = operation({
  id: "disableWorkflow",
  summary: "Turn a workflow off and stop the messages it scheduled; tasks and links it made stay",
  ...SETTINGS_CHANGE,
  sideEffects: "Emails that it scheduled are cancelled, unless they are to be kept; tasks and links it made stay.",
  input: z.strictObject({
    type: Enable.shape.type,
    keepScheduled: z
      .boolean()
      .default(false)
      .describe("auto_generate: send the messages that are scheduled all the same"),
  }),
  output: OperatorWorkflow.extend({
    emails_cancelled: z.int(),
    messages_cancelled: z.int(),
    still_scheduled: ScheduledMessages.describe("What was kept, and what is being sent at this moment"),
    timezone: z.string(),
  }),
  async run({ tx, core, actor, now, audit }, { type, keepScheduled }) {
    const { tenantId } = actor;
    await lockTenantFigures(tx, tenantId);
    const stored = orNotFound(
      (await workflowsOf(tx, tenantId)).find((workflow) => workflow.type === type),
      "workflow",
    );
    const row = stored.enabled ? { ...stored, enabled: false, updated_at: now } : stored;
    await upsertWorkflow(tx, row);
    const { workflow_id: workflowId } = row;
    const cancelled = keepScheduled
      ? []
      : await cancelWorkflowEmails(tx, tenantId, { workflowId, instants: instantsOf(core) });
    audit(stored.enabled || cancelled.length > 0 ? { type: "workflow", id: workflowId } : null);
    return {
      ...(await asOperatorWorkflow(tx, row)),
      emails_cancelled: cancelled.length,
      messages_cancelled: (await messagesOf(tx, tenantId, cancelled)).messages,
      still_scheduled: await scheduledMessages(tx, tenantId, { workflowId }),
      timezone: await timezoneOf(tx, tenantId),
    };
  },
});
