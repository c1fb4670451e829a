import { z } from "zod";
import { validationFailed } from "../../core/shared/validation.ts";
import { disableWorkflow } from "../../core/workflows/operations/disable-workflow.ts";
import { enableWorkflow } from "../../core/workflows/operations/enable-workflow.ts";
import { listOperatorWorkflows } from "../../core/workflows/operator-workflow.ts";
import { planEnabling } from "../../core/workflows/plan-enabling.ts";
import { WorkflowInput } from "../../core/workflows/settings.ts";
import { type Command, flags, toggle, workspaceCommand } from "../command.ts";
import { choiceOf, WholeNumber } from "../inputs.ts";
import { render } from "../render.ts";
import { disabledInWords } from "./workflow-disabled.ts";
import { shownWithPlan } from "./workflow-plan.ts";

const I = WorkflowInput;
const TypeOption = choiceOf("auto_generate", "payment_arrangement").register(flags, {
  value: "auto_generate|payment_arrangement",
  description: "which workflow",
});

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
      minimum_amount: I.minimumAmount.optional().register(flags, {
        value: "AMOUNT",
        description: "payment_arrangement: matches invoices of at least this amount, in their own currency",
      }),
      customer: I.customers.optional().register(flags, {
        value: "ID",
        repeatable: true,
        description: "payment_arrangement: matches this customer's invoices; repeat it",
      }),
      clear_minimum_amount: toggle("payment_arrangement: no minimum amount any more"),
      clear_customers: toggle("payment_arrangement: customers are not chosen any more"),
      assignee: I.assignee.optional().register(flags, {
        value: "EMAIL",
        description: "payment_arrangement: the member who is notified of each task",
      }),
      send_at: I.sendAt.optional().register(flags, {
        value: "HH:MM",
        description:
          "auto_generate: when links are mailed, in the workspace's timezone (09:00 the first time, then as before)",
      }),
      days_before_due: WholeNumber.pipe(I.daysBeforeDue).optional().register(flags, {
        value: "N",
        description:
          "auto_generate: links for what is overdue or due within this many days, 0 to 365 (7 the first time, then as before)",
      }),
      dry_run: toggle("say what would happen, and change nothing"),
      yes: toggle("confirm more than 25 links or messages at once"),
    }),
    async run({ core, tenantId, operate, confirmed }, { type, assignee, ...given }) {
      const { send_at: sendAt, days_before_due: daysBeforeDue } = given;
      const minimumAmount = orCleared("minimum_amount", given.minimum_amount, given.clear_minimum_amount);
      const customers = orCleared("customer", given.customer, given.clear_customers);
      const settings = { type, minimumAmount, customers, assignee, sendAt, daysBeforeDue };
      if (given.dry_run === true) return { plan: await planEnabling(core, tenantId, settings) };
      return operate(enableWorkflow, { ...settings, confirmed: given.yes ?? confirmed });
    },
    show: shownWithPlan,
  }),
  workspaceCommand("workflow disable", {
    summary: "turn a workflow off and stop the messages it scheduled; tasks and links it made stay",
    input: z.strictObject({
      type: TypeOption,
      keep_scheduled: toggle("auto_generate: send the messages that are scheduled all the same"),
    }),
    run: ({ operate }, { type, keep_scheduled: keepScheduled = false }) =>
      operate(disableWorkflow, { type, keepScheduled }),
    show: disabledInWords,
  }),
  workspaceCommand("workflow list", {
    summary: "the workflows of a workspace and their settings",
    input: z.strictObject({}),
    run: ({ core, tenantId }) => listOperatorWorkflows(core, tenantId),
    show: listed,
  }),
];
