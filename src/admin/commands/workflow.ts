import { z } from "zod";
import { counted } from "../../core/kernel/counted.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { disableWorkflow } from "../../core/workflows/operations/disable-workflow.ts";
import { enableWorkflow } from "../../core/workflows/operations/enable-workflow.ts";
import { listWorkflowSettings } from "../../core/workflows/operations/list-workflow-settings.ts";
import { planWorkflow } from "../../core/workflows/operations/plan-workflow.ts";
import { WorkflowInput } from "../../core/workflows/settings.ts";
import { type Command, option, toggle, workspaceCommand } from "../command.ts";
import { choiceOf, WholeNumber } from "../inputs.ts";
import { localTime, render } from "../render.ts";
import { shownWithPlan } from "./workflow-plan.ts";

const TypeOption = option(
  choiceOf("auto_generate", "payment_arrangement"),
  "auto_generate|payment_arrangement",
  "which workflow",
);

/** The value given for a setting, or null to clear it. Throws `validation_failed` when both are given. */
function orCleared<T>(field: string, given: T | undefined, isCleared = false): T | null | undefined {
  if (given !== undefined && isCleared)
    throw validationFailed([{ field, message: "cannot be given and cleared at once" }]);
  return isCleared ? null : given;
}

const Listed = z.array(z.looseObject({ type: z.string(), assignee: z.string().nullable() }));

/** A workflow whose assignee was removed says so. */
function listed(result: unknown, columns?: number): string {
  const rows = Listed.parse(result).map((row) =>
    row.type === "payment_arrangement" && row.assignee === null
      ? { ...row, assignee: "nobody (--assignee names one)" }
      : row,
  );
  return render(z.json().parse(rows), columns);
}

export const workflowCommands: readonly Command[] = [
  workspaceCommand("workflow enable", {
    summary: "turn a workflow on, or change its settings; what is left out stays as it was",
    input: z.strictObject({
      type: TypeOption,
      minimumAmount: option(
        WorkflowInput.minimumAmount.optional(),
        "AMOUNT",
        "payment_arrangement: matches invoices of at least this amount, in their own currency",
      ),
      customer: option(
        WorkflowInput.customers.optional(),
        "ID",
        "payment_arrangement: matches this customer's invoices; repeat it",
        { repeatable: true },
      ),
      clearMinimumAmount: toggle("payment_arrangement: no minimum amount any more"),
      clearCustomers: toggle("payment_arrangement: customers are not chosen any more"),
      assignee: option(
        WorkflowInput.assignee.optional(),
        "EMAIL",
        "payment_arrangement: the member who is notified of each task",
      ),
      sendAt: option(
        WorkflowInput.sendAt.optional(),
        "HH:MM",
        "auto_generate: when links are mailed, in the workspace's timezone (09:00 the first time, then as before)",
      ),
      daysBeforeDue: option(
        WholeNumber.pipe(WorkflowInput.daysBeforeDue).optional(),
        "N",
        "auto_generate: links for what is overdue or due within this many days, 0 to 365 (7 the first time, then as before)",
      ),
      dryRun: toggle("say what would happen, and change nothing"),
      yes: toggle("confirm more than 25 links or messages at once"),
    }),
    async run({ operate, confirmed }, { customer, clearCustomers, clearMinimumAmount, dryRun, yes, ...given }) {
      const minimumAmount = orCleared("minimumAmount", given.minimumAmount, clearMinimumAmount);
      const settings = { ...given, minimumAmount, customers: orCleared("customer", customer, clearCustomers) };
      if (dryRun === true) return { plan: await operate(planWorkflow, settings) };
      return operate(enableWorkflow, { ...settings, confirmed: yes ?? confirmed });
    },
    show: shownWithPlan,
  }),
  workspaceCommand("workflow disable", {
    summary: "turn a workflow off and stop the messages it scheduled; tasks and links it made stay",
    input: z.strictObject({
      type: TypeOption,
      keepScheduled: toggle("auto_generate: send the messages that are scheduled all the same"),
    }),
    run: ({ operate }, { type, keepScheduled = false }) => operate(disableWorkflow, { type, keepScheduled }),
    show: disabledInWords,
  }),
  workspaceCommand("workflow list", {
    summary: "the workflows of a workspace and their settings",
    async run({ operate }) {
      const { data } = await operate(listWorkflowSettings, {});
      return data.map(({ scheduled: _scheduled, ...workflow }) => workflow);
    },
    show: listed,
  }),
];

/** The result of disabling a workflow, as received from the process that executed the command. */
const Disabled = disableWorkflow.output
  .pick({ type: true, emails_cancelled: true, messages_cancelled: true, still_scheduled: true, timezone: true })
  .loose();
type Disabled = z.output<typeof Disabled>;

const Fields = z.record(z.string(), z.json());

/** What disabling a workflow changed, what stays and what to do about that; null for another result. */
function disabledInWords(result: unknown): string | null {
  const { success, data: disabled } = Disabled.safeParse(result);
  if (!success) return null;
  const {
    emails_cancelled: _emails,
    messages_cancelled: _messages,
    still_scheduled: _left,
    timezone: _zone,
    ...workflow
  } = Fields.parse(result);
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
