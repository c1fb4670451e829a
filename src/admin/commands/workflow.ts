import type { z } from "zod";
import { counted } from "../../core/kernel/counted.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { disableWorkflow, enableWorkflow, planWorkflow } from "../../core/workflows/operations/enable-workflow.ts";
import { listWorkflowSettings } from "../../core/workflows/operations/list-workflows.ts";
import { command } from "../command.ts";
import { toggle } from "../fields.ts";
import { inLines, localTime } from "../render.ts";
import { withPlan } from "./workflow-plan.ts";

/** The value given for a setting, or null to clear it. Throws `validation_failed` when both are given. */
function orCleared<T>(field: string, given: T | undefined, isCleared: boolean) {
  if (given !== undefined && isCleared)
    throw validationFailed([{ field, message: "cannot be given and cleared at once" }]);
  return isCleared ? null : given;
}

export const workflowCommands = [
  command("workflow enable", enableWorkflow, {
    options: {
      confirmed: ["--yes", "confirm more than 25 links or messages at once"],
    },
    own: {
      clearMinimumAmount: toggle("payment_arrangement: no minimum amount any more"),
      clearCustomers: toggle("payment_arrangement: customers are not chosen any more"),
      dryRun: toggle("say what would happen, and change nothing"),
    },
    async run({ operate }, { confirmed, clearMinimumAmount, clearCustomers, dryRun, ...given }) {
      const minimumAmount = orCleared("minimumAmount", given.minimumAmount, clearMinimumAmount);
      const settings = { ...given, minimumAmount, customers: orCleared("customers", given.customers, clearCustomers) };
      if (dryRun) return { plan: await operate(planWorkflow, settings) };
      return operate(enableWorkflow, { ...settings, confirmed });
    },
    show: withPlan,
  }),
  command("workflow disable", disableWorkflow, { show: disabledInWords }),
  command("workflow list", listWorkflowSettings, {
    async run({ operate }) {
      const { data } = await operate(listWorkflowSettings, {});
      return data.map(({ scheduled: _scheduled, ...workflow }) => workflow);
    },
    show: (workflows) => [
      workflows.map(({ assignee, ...workflow }) => {
        const isMissing = workflow.type === "payment_arrangement" && assignee === null;
        return { ...workflow, assignee: isMissing ? "nobody (--assignee names one)" : assignee };
      }),
    ],
  }),
];

/** What disabling a workflow changed, what stays and what to do about that. */
function disabledInWords({
  emails_cancelled: stopped,
  messages_cancelled: messages,
  still_scheduled: left,
  timezone,
  ...workflow
}: z.output<typeof disableWorkflow.output>) {
  const links = inLines(
    "It makes no more payment links. Those it made stay payable.",
    stopped > 0 &&
      `${counted(messages, "scheduled mail")} with ${counted(stopped, "link")} will not be sent. Enabling it again sends the links that are live then.`,
    left.messages > 0 &&
      `${counted(left.messages, "scheduled mail")} with ${counted(left.links, "link")} will still be sent, the first on ${localTime(left.first_at ?? "", timezone)}.
To stop them: workflow disable --type auto_generate, without --keep-scheduled. One being sent cannot be stopped.`,
    stopped === 0 && left.messages === 0 && "No message is scheduled.",
  );
  const tasks =
    "It opens no more tasks. Those it opened stay, and keep Auto Generate from their invoices until they are dismissed.";
  return [workflow, workflow.type === "auto_generate" ? links : tasks];
}
