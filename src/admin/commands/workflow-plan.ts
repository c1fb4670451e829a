import { businessDate } from "../../core/kernel/calendar.ts";
import { counted } from "../../core/kernel/counted.ts";
import { readableDate, readableMoney } from "../../core/mail/readable.ts";
import type { EnablingPlan } from "../../core/workflows/plan-schema.ts";
import { leftOutInWords } from "../../core/workflows/plan-words.ts";
import { inLines, localTime } from "../render.ts";

/** Shows a result, and below it the plan that was carried out, where it has one. */
export const withPlan = ({ plan, ...rest }: { plan?: EnablingPlan | undefined }) => [
  rest,
  plan === undefined ? "" : planInWords(plan),
];

/** A plan in words. */
export function planInWords(plan: EnablingPlan) {
  const isArrangement = plan.type === "payment_arrangement";
  const leftOut = leftOutInWords(plan);
  return inLines(
    ...(isArrangement ? arrangementSettings(plan) : generatorSettings(plan)),
    !plan.provider_connected && NO_PROVIDER,
    (isArrangement || plan.tasks > 0) && tasks(plan),
    isArrangement && plan.auto_generate && "Auto Generate, which is on, will make:",
    ...(plan.auto_generate ? links(plan) : []),
    leftOut.length > 0 && "Left out:",
    ...leftOut.map((line) => `  ${line}`),
  );
}

const NO_PROVIDER = `No payment provider is connected: until one is, no link can be made and no invoice is open for collection.
Connect one: integration connect --provider stripe --currencies USD,EUR --secret-key-stdin`;

function generatorSettings({ settings, timezone }: EnablingPlan) {
  const { days_before_due: days, send_at: at } = settings;
  const within = counted(days ?? 0, "day");
  return [
    `Links for what is overdue or due within ${within}${origin(settings, "days_before_due", "--days-before-due")},`,
    `mailed at ${at} (${timezone})${origin(settings, "send_at", "--send-at")}.`,
  ];
}

function arrangementSettings({ settings }: EnablingPlan) {
  const { minimum_amount: minimum, customers, assignee } = settings;
  const least = `of at least ${minimum}, each in its own currency${origin(settings, "minimum_amount", "--minimum-amount or --clear-minimum-amount")}`;
  const chosen = `of ${counted(customers.length, "chosen customer")}${origin(settings, "customers", "--customer or --clear-customers")}`;
  const rule = [...(minimum === null ? [] : [least]), ...(customers.length > 0 ? [chosen] : [])].join(" and ");
  return [`Tasks for open invoices ${rule},`, `assigned to ${assignee}${origin(settings, "assignee", "--assignee")}.`];
}

type Setting = EnablingPlan["settings"]["kept"][number];

/** Where the value of a setting that was not given comes from; empty for one that was given. */
function origin({ kept, defaults }: EnablingPlan["settings"], name: Setting, option: string) {
  if (kept.includes(name)) return ` (kept from before; ${option} changes it)`;
  return defaults.includes(name) ? ` (the default; ${option} changes it)` : "";
}

function tasks({ tasks: number, settings }: EnablingPlan) {
  if (number === 0) return "No tasks: every open invoice that matches has had one, or none matches.";
  const whom = settings.assignee ?? "the assignee";
  return `${counted(number, "task")}, one for each matching invoice without one; ${whom} gets a mail for each.`;
}

function links(plan: EnablingPlan) {
  const { links: number, emails_again: again, emails_moved: moved, messages, timezone } = plan;
  const { send_at: first, last_send_at: last } = plan;
  const onSeveralDays = first !== null && last !== null && dayOf(first, timezone) !== dayOf(last, timezone);
  const each = onSeveralDays ? "one per customer and day, the first" : "one per customer,";
  return [
    number === 0 ? "No new payment links." : `${counted(number, "payment link")}: ${amounts(plan.amounts)}`,
    again > 0 && `${counted(again, "live link")} mailed again, which disabling had stopped`,
    moved > 0 && `${counted(moved, "live link")} whose scheduled mail is moved to another time`,
    first !== null && `${counted(messages, "mail")}, ${each} on ${localTime(first, timezone)}, to`,
    ...plan.recipients.map(({ customer, email, links: asked, amounts: sums, send_at: at }) => {
      const whom = customer === null ? email : `${customer} <${email}>`;
      return `  ${whom}: ${counted(asked, "link")}, ${amounts(sums)}${onSeveralDays ? `, on ${dayOf(at, timezone)}` : ""}`;
    }),
    plan.more_recipients > 0 && `  and ${plan.more_recipients} more`,
  ];
}

const amounts = (sums: EnablingPlan["amounts"]) =>
  sums.map(({ amount, currency }) => readableMoney(amount, currency)).join(", ");

const dayOf = (instant: string, timezone: string) => readableDate(businessDate(new Date(instant), timezone));
