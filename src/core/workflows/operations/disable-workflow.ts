import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { instantsOf } from "../../gate/retry.ts";
import { notFound } from "../../kernel/error.ts";
import { cancelWorkflowEmails, messagesOf, scheduledMessages } from "../../payment-links/emails/link-email-queries.ts";
import { lockTenantFigures } from "../../provider-access/integration-queries.ts";
import { timezoneOf } from "../../workspace/workspace-queries.ts";
import { asOperatorWorkflow, OperatorWorkflow, WorkflowInput } from "../settings.ts";
import { upsertWorkflow, workflowsOf } from "../settings-queries.ts";

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
    type: WorkflowInput.type,
    keepScheduled: z
      .boolean()
      .default(false)
      .describe("auto_generate: send the messages that are scheduled all the same"),
  }),
  output: OperatorWorkflow.extend({
    emails_cancelled: z.int(),
    messages_cancelled: z.int(),
    still_scheduled: z
      .strictObject({ messages: z.int(), links: z.int(), first_at: z.string().nullable() })
      .describe("What was kept, and what is being sent at this moment"),
    timezone: z.string(),
  }),
  async run({ tx, core, actor, now, audit }, { type, keepScheduled }) {
    const { tenantId } = actor;
    await lockTenantFigures(tx, tenantId);
    const stored = (await workflowsOf(tx, tenantId)).find((workflow) => workflow.type === type);
    if (stored === undefined) throw notFound("workflow");
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
