import { z } from "zod";
import { counted } from "../kernel/counted.ts";
import { ServiceError } from "../kernel/error.ts";
import { WorkflowType } from "./schema.ts";
import { SettingName, Settings } from "./settings.ts";

const PlannedAmount = z.object({
  currency: z.string(),
  links: z.int(),
  amount: z.string().describe("Exact decimal in major units"),
});
export type PlannedAmount = z.output<typeof PlannedAmount>;

/** What a workspace's workflows would do now, before any of it is done. All amounts are per currency. */
const WorkflowPlan = z.object({
  tasks: z.int().describe("That Payment Arrangement opens; its assignee gets a mail for each"),
  links: z.int().describe("That Auto Generate makes, of those a provider takes"),
  amounts: z.array(PlannedAmount),
  emails_again: z.int().describe("Live links that are mailed again: disabling the workflow cancelled that"),
  emails_moved: z.int().describe("Live links whose scheduled mail is moved, by the settings"),
  messages: z.int().describe("What customers get: one for each customer, address and day"),
  send_at: z.string().nullable().describe("When the first goes out; null without any"),
  last_send_at: z.string().nullable().describe("When the last does, which a person may have moved"),
  timezone: z.string().describe("The workspace's"),
  recipients: z
    .array(
      z.object({
        customer: z.string().nullable(),
        customer_id: z.string().nullable(),
        email: z.string(),
        installment_id: z.string().describe("One that it asks for, which names the message"),
        send_at: z.string(),
        links: z.int(),
        amounts: z.array(PlannedAmount),
      }),
    )
    .describe("Of ten messages, those with most links before the others"),
  more_recipients: z.int(),
  provider_connected: z.boolean().describe("Without one no link can be made"),
  not_chargeable: z
    .array(z.object({ currency: z.string(), invoices: z.int() }))
    .describe(
      "Invoices that no connected provider charges, by currency, `UNKNOWN` without one; of a rule, those it matches",
    ),
  refused: z
    .array(z.object({ reason: z.string(), links: z.int() }))
    .describe("Links that would be refused, and why; they are tried again for about a day"),
  held_by_task: z.int().describe("Invoices that a task keeps Auto Generate from"),
  withdrawn_by_person: z.int().describe("Invoices with a link that a person withdrew and that is not made again"),
  erp_disconnected: z
    .int()
    .describe("Invoices that get no link, and whose live links are not mailed again, while their ERP is disconnected"),
  not_mailed: z.int().describe("Invoices whose customer is mailed nothing"),
  later: z.int().describe("Invoices that fall due later and come into the window by themselves"),
});
export type WorkflowPlan = z.output<typeof WorkflowPlan>;

/** What workflows that are on, or would be, do; by the settings of one of them. */
export const EnablingPlan = WorkflowPlan.extend({
  type: WorkflowType,
  settings: z.object({
    ...Settings.shape,
    kept: z.array(SettingName).describe("Settings that were not given: those that the workflow had before"),
    defaults: z.array(SettingName).describe("Settings that were not given and that it never had"),
  }),
  auto_generate: z.boolean().describe("Auto Generate is on, or would be: links are made"),
});
export type EnablingPlan = z.output<typeof EnablingPlan>;

/** More links, messages or tasks than this at once need a confirmation. */
const UNCONFIRMED = 25;

/** True, or the number that a person typed after reading the plan. */
export const Confirmed = z
  .union([z.boolean(), z.string().max(20)])
  .default(false)
  .describe("confirm more than 25 links or messages at once, of workflows that are on");

/** So much would be done at once that a person has to confirm it; nothing was changed. */
export class ConfirmationNeeded extends ServiceError {
  readonly plan: EnablingPlan;
  /** What a person types to confirm: how many links, or tasks, there will be. */
  readonly expected: string;

  constructor(plan: EnablingPlan) {
    const links = linksIn(plan) > 0 ? [counted(linksIn(plan), "payment link")] : [];
    const again = plan.emails_again > 0 ? [`${counted(plan.emails_again, "live link")} mailed again`] : [];
    const moved = plan.emails_moved > 0 ? [`${counted(plan.emails_moved, "scheduled mail")} moved`] : [];
    const mailed = [...links, ...again, ...moved].join(" and ");
    const messages = mailed === "" ? [] : [`${mailed} in ${counted(plan.messages, "message")}`];
    const tasks = plan.tasks > 0 ? [counted(plan.tasks, "task")] : [];
    super("conflict", `${[...messages, ...tasks].join(", and ")} at once need a confirmation.`);
    this.plan = plan;
    this.expected = expectedOf(plan);
  }
}

/** Throws {@link ConfirmationNeeded} for a plan of much at once that is not confirmed (completions §7). */
export function assertConfirmed(plan: EnablingPlan, confirmed: z.output<typeof Confirmed>) {
  const expected = confirmationOf(plan);
  if (expected !== null && confirmed !== true && confirmed !== expected) throw new ConfirmationNeeded(plan);
}

/** What confirms a plan; null for one that needs no confirmation. */
export function confirmationOf(plan: EnablingPlan) {
  const { messages, tasks, emails_again: again, emails_moved: moved } = plan;
  const isMuch = Math.max(linksIn(plan), messages, tasks, again, moved) > UNCONFIRMED;
  return isMuch ? expectedOf(plan) : null;
}

/** Including links that would be refused now: they are made as soon as a provider accepts them. */
const linksIn = (plan: EnablingPlan) => plan.refused.reduce((sum, { links }) => sum + links, plan.links);

const expectedOf = (plan: EnablingPlan) =>
  String([linksIn(plan), plan.tasks, plan.emails_again, plan.emails_moved].find((number) => number > 0) ?? 0);
