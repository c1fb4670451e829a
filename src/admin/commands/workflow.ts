import { z } from "zod";
import { counted } from "../../core/kernel/counted.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { disableWorkflow, enableWorkflow, planWorkflow } from "../../core/workflows/operations/enable-workflow.ts";
import { listWorkflowSettings } from "../../core/workflows/operations/list-workflows.ts";
import { command } from "../command.ts";
import { toggle } from "../options.ts";
import { localTime, render } from "../render.ts";
import { shownWithPlan } from "./workflow-plan.ts";

/** The value given for a setting, or null to clear it. Throws `validation_failed` when both are given. */
function orCleared<T>(field: string, given: T | undefined, isCleared: boolean): T | null | undefined {
  if (given !== undefined && isCleared)
    throw validationFailed([{ field, message: "cannot be given and cleared at once" }]);
  return isCleared ? null : given;
}

export const workflowCommands = [
  command("workflow enable", enableWorkflow, {
    options: {
      customers: [
        "--customer ID",
        "payment_arrangement: matches this customer's invoices; repeat it",
        z.array(z.string()).optional(),
      ],
      assignee: "EMAIL",
      sendAt: "HH:MM",
      confirmed: ["--yes", "confirm more than 25 links or messages at once"],
    },
    own: {
      clearMinimumAmount: toggle("payment_arrangement: no minimum amount any more"),
      clearCustomers: toggle("payment_arrangement: customers are not chosen any more"),
      dryRun: toggle("say what would happen, and change nothing"),
    },
    async run({ operate }, { confirmed, ...given }, { clearMinimumAmount, clearCustomers, dryRun }) {
      const minimumAmount = orCleared("minimumAmount", given.minimumAmount, clearMinimumAmount);
      const settings = { ...given, minimumAmount, customers: orCleared("customers", given.customers, clearCustomers) };
      if (dryRun) return { plan: await operate(planWorkflow, settings) };
      return operate(enableWorkflow, { ...settings, confirmed });
    },
    show: shownWithPlan,
  }),
  command("workflow disable", disableWorkflow, { show: disabledInWords }),
  command("workflow list", listWorkflowSettings, {
    async run({ operate }) {
      const { data } = await operate(listWorkflowSettings, {});
      return data.map(({ scheduled: _scheduled, ...workflow }) => workflow);
    },
    show: (workflows, columns) => render(workflows.map(withAssignee), columns),
  }),
];

/** A workflow whose assignee was removed says so. */
const withAssignee = <W extends { type: string; assignee: string | null }>(workflow: W): W => {
  const isMissing = workflow.type === "payment_arrangement" && workflow.assignee === null;
  return isMissing ? { ...workflow, assignee: "nobody (--assignee names one)" } : workflow;
};

type Disabled = z.output<typeof disableWorkflow.output>;

/** What disabling a workflow changed, what stays and what to do about that. */
function disabledInWords(disabled: Disabled): string {
  const {
    emails_cancelled: _emails,
    messages_cancelled: _messages,
    still_scheduled: _left,
    timezone: _zone,
    ...workflow
  } = disabled;
  const sentences = disabled.type === "auto_generate" ? generatorSentences(disabled) : ARRANGEMENT;
  return `${render(workflow)}\n\n${sentences.join("\n")}`;
}

const ARRANGEMENT = [
  "It opens no more tasks. Those it opened stay, and keep Auto Generate from their invoices until they are dismissed.",
];

function generatorSentences({
  emails_cancelled: stopped,
  messages_cancelled: messages,
  still_scheduled: left,
  timezone,
}: Disabled): string[] {
  const sentences = ["It makes no more payment links. Those it made stay payable."];
  if (stopped > 0)
    sentences.push(
      `${counted(messages, "scheduled message")} with ${counted(stopped, "link")} will not be sent. Enabling it again sends the links that are live then.`,
    );
  if (left.messages > 0)
    sentences.push(
      `${counted(left.messages, "scheduled message")} with ${counted(left.links, "link")} will still be sent, the first on ${localTime(left.first_at ?? "", timezone)}.`,
      "To stop them: workflow disable --type auto_generate, without --keep-scheduled. One being sent cannot be stopped.",
    );
  if (stopped === 0 && left.messages === 0) sentences.push("No message is scheduled.");
  return sentences;
}
