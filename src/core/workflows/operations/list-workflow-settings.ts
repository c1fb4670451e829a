import { z } from "zod";
import { operation, SETTINGS_READ } from "../../gate/operation.ts";
import { scheduledMessages } from "../../payment-links/emails/link-email-queries.ts";
import { OperatorWorkflow, operatorWorkflowsOf } from "../settings.ts";

/** The workflows of a workspace with their settings, oldest first, and what each has scheduled. */
export const listWorkflowSettings = operation({
  id: "listWorkflowSettings",
  summary: "The workflows of a workspace and their settings",
  ...SETTINGS_READ,
  input: z.strictObject({}),
  output: z.strictObject({
    data: z.array(
      OperatorWorkflow.extend({
        scheduled: z.strictObject({ messages: z.int(), links: z.int(), first_at: z.string().nullable() }),
      }),
    ),
  }),
  async run({ tx, actor: { tenantId } }) {
    const data = [];
    for (const workflow of await operatorWorkflowsOf(tx, tenantId))
      data.push({ ...workflow, scheduled: await scheduledMessages(tx, tenantId, { workflowId: workflow.id }) });
    return { data };
  },
});
