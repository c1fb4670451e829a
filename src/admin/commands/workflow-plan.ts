import { businessDate } from "../../core/kernel/calendar.ts";
import { counted } from "../../core/kernel/counted.ts";
import { readableDate, readableMoney } from "../../core/mail/readable.ts";
import type { EnablingPlan } from "../../core/workflows/plan-schema.ts";
import { localTime, render } from "../render.ts";

/** A result with the plan that was carried out, in words where it has one. */
export function shownWithPlan({ plan, ...rest }: { plan?: EnablingPlan | undefined }, columns?: number): string {
  if (plan === undefined) return render(rest, columns);
  const words = planInWords(plan);
  return Object.keys(rest).length === 0 ? words : `${render(rest)}\n\n${words}`;
}

type Line = string | false;

/** A plan in words. */
export function planInWords(plan: EnablingPlan): string {
  const isArrangement = plan.type === "payment_arrangement";
  const lines: Line[] = [
    ...(isArrangement ? arrangementSettings(plan) : generatorSettings(plan)),
    !plan.provider_connected && NO_PROVIDER,
    (isArrangement || plan.tasks > 0) && tasks(plan),
    isArrangement && plan.auto_generate && "Auto Generate, which is on, will make:",
    ...(plan.auto_generate ? links(plan) : []),
    ...leftOut(plan),
  ];
  return lines.filter((line) => line !== false).join("\n");
}

const NO_PROVIDER = `No payment provider is connected: until one is, no link can be made and no invoice is open for collection.
Connect one: integration connect --provider stripe --currencies USD,EUR --secret-key-stdin`;

function generatorSettings({ settings, timezone }: EnablingPlan): string[] {
  const { days_before_due: days, send_at: at } = settings;
  const within = counted(days ?? 0, "day");
  return [
    `Links for what is overdue or due within ${within}${origin(settings, "days_before_due", "--days-before-due")},`,
    `mailed at ${at} (${timezone})${origin(settings, "send_at", "--send-at")}.`,
  ];
}

function arrangementSettings({ settings }: EnablingPlan): string[] {
  const { minimum_amount: minimum, customers, assignee } = settings;
  const minimumFrom = origin(settings, "minimum_amount", "--minimum-amount or --clear-minimum-amount");
  const customersFrom = origin(settings, "customers", "--customer or --clear-customers");
  const rule = [
    minimum !== null && `of at least ${minimum}, each in its own currency${minimumFrom}`,
    customers.length > 0 && `of ${counted(customers.length, "chosen customer")}${customersFrom}`,
  ]
    .filter((part) => part !== false)
    .join(" and ");
  return [`Tasks for open invoices ${rule},`, `assigned to ${assignee}${origin(settings, "assignee", "--assignee")}.`];
}

type Setting = EnablingPlan["settings"]["kept"][number];

/** Where the value of a setting that was not given comes from; empty for one that was given. */
function origin({ kept, defaults }: EnablingPlan["settings"], name: Setting, option: string): string {
  if (kept.includes(name)) return ` (kept from before; ${option} changes it)`;
  return defaults.includes(name) ? ` (the default; ${option} changes it)` : "";
}

function tasks({ tasks: number, settings }: EnablingPlan): string {
  if (number === 0) return "No tasks: every open invoice that matches has had one, or none matches.";
  const whom = settings.assignee ?? "the assignee";
  return `${counted(number, "task")}, one for each matching invoice without one; ${whom} gets a mail for each.`;
}

function links(plan: EnablingPlan): Line[] {
  const { links: number, emails_again: again, messages, send_at: first, last_send_at: last, timezone } = plan;
  const onSeveralDays = first !== null && last !== null && dayOf(first, timezone) !== dayOf(last, timezone);
  const each = onSeveralDays ? "one per customer and day, the first" : "one per customer,";
  return [
    number === 0 ? "No new payment links." : `${counted(number, "payment link")}: ${amounts(plan.amounts)}`,
    again > 0 && `${counted(again, "live link")} mailed again, which disabling had stopped`,
    first !== null && `${counted(messages, "message")}, ${each} on ${localTime(first, timezone)}, to`,
    ...plan.recipients.map(({ customer, email, links: asked, amounts: sums, send_at: at }) => {
      const whom = customer === null ? email : `${customer} <${email}>`;
      return `  ${whom}: ${counted(asked, "link")}, ${amounts(sums)}${onSeveralDays ? `, on ${dayOf(at, timezone)}` : ""}`;
    }),
    plan.more_recipients > 0 && `  and ${plan.more_recipients} more`,
  ];
}

function leftOut(plan: EnablingPlan): Line[] {
  const { held_by_task: held, withdrawn_by_person: withdrawn, erp_disconnected: gone, later } = plan;
  const currencies = plan.not_chargeable.map(({ currency }) => (currency === "UNKNOWN" ? "an unknown one" : currency));
  const unchargeable = plan.not_chargeable.reduce((sum, { invoices }) => sum + invoices, 0);
  const without = (number: number, why: string): Line => number > 0 && `${counted(number, "invoice")} left out: ${why}`;
  return [
    ...plan.refused.map(({ reason, links: refused }) => `${refused} cannot be made: ${reason}`),
    without(held, `a task holds ${held === 1 ? "it" : "them"}`),
    without(withdrawn, "a person withdrew the link"),
    without(gone, "the ERP is disconnected"),
    without(unchargeable, `their currency is charged by no connected provider (${currencies.join(", ")})`),
    later > 0 && `${counted(later, "invoice")} later, as installments come due`,
  ];
}

const amounts = (sums: EnablingPlan["amounts"]): string =>
  sums.map(({ amount, currency }) => readableMoney(amount, currency)).join(", ");

const dayOf = (instant: string, timezone: string): string => readableDate(businessDate(new Date(instant), timezone));
