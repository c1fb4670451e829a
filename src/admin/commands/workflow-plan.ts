import { z } from "zod";
import { counted } from "../../core/counted.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { money } from "../../core/money.ts";
import { localTime } from "../local-time.ts";

const Amounts = z.array(z.object({ currency: z.string(), links: z.int(), amount: z.string() }));

/** A plan as it comes back from whoever executed the command. */
const Plan = z.object({
  type: z.string(),
  settings: z.object({
    send_at: z.string().nullable(),
    days_before_due: z.int().nullable(),
    minimum_amount: z.string().nullable(),
    customers: z.array(z.string()),
    assignee: z.string().nullable(),
    kept: z.array(z.string()),
    defaults: z.array(z.string()),
  }),
  auto_generate: z.boolean(),
  tasks: z.int(),
  links: z.int(),
  amounts: Amounts,
  emails_again: z.int(),
  messages: z.int(),
  send_at: z.string().nullable(),
  last_send_at: z.string().nullable(),
  timezone: z.string(),
  recipients: z.array(
    z.object({
      customer: z.string().nullable(),
      email: z.string(),
      send_at: z.string(),
      links: z.int(),
      amounts: Amounts,
    }),
  ),
  more_recipients: z.int(),
  provider_connected: z.boolean(),
  not_chargeable: z.array(z.object({ currency: z.string(), invoices: z.int() })),
  refused: z.array(z.object({ reason: z.string(), links: z.int() })),
  held_by_task: z.int(),
  withdrawn_by_person: z.int(),
  erp_disconnected: z.int(),
  later: z.int(),
});
type Plan = z.output<typeof Plan>;

/** What enabling a workflow does, in words; null for what is no plan. */
export function planInWords(value: unknown): string | null {
  const { success, data: plan } = Plan.safeParse(value);
  if (!success) return null;
  const isArrangement = plan.type === "payment_arrangement";
  const lines = [
    ...(isArrangement ? arrangementSettings(plan) : generatorSettings(plan)),
    ...(plan.provider_connected ? [] : NO_PROVIDER),
    ...(isArrangement || plan.tasks > 0 ? [tasks(plan)] : []),
    ...(isArrangement && plan.auto_generate ? ["Auto Generate, which is on, will make:"] : []),
    ...(plan.auto_generate ? links(plan) : []),
    ...leftOut(plan),
  ];
  return lines.join("\n");
}

const NO_PROVIDER = [
  "No payment provider is connected: until one is, no link can be made and no invoice is open for collection.",
  "Connect one: integration connect --provider stripe --currencies USD,EUR --secret-key-stdin",
];

function generatorSettings({ settings, timezone }: Plan): string[] {
  const { days_before_due: days, send_at: at } = settings;
  const within = counted(days ?? 0, "day");
  return [
    `Links for what is overdue or due within ${within}${origin(settings, "days_before_due", "--days-before-due")},`,
    `mailed at ${at} (${timezone})${origin(settings, "send_at", "--send-at")}.`,
  ];
}

function arrangementSettings({ settings }: Plan): string[] {
  const { minimum_amount: minimum, customers, assignee } = settings;
  const rule = [
    ...(minimum === null ? [] : [`of at least ${minimum}, each in its own currency`]),
    ...(customers.length === 0 ? [] : [`of ${counted(customers.length, "chosen customer")}`]),
  ].join(" and ");
  return [
    `Tasks for open invoices ${rule}${origin(settings, "rule", "--minimum-amount or --customer")},`,
    `assigned to ${assignee}${origin(settings, "assignee", "--assignee")}.`,
  ];
}

/** Where a setting that was not given comes from; empty for one that was. */
function origin({ kept, defaults }: Plan["settings"], name: string, option: string): string {
  if (kept.includes(name)) return ` (kept from before; ${option} changes it)`;
  return defaults.includes(name) ? ` (the default; ${option} changes it)` : "";
}

function tasks({ tasks: number, settings }: Plan): string {
  if (number === 0) return "No tasks: every open invoice that matches has had one, or none matches.";
  const whom = settings.assignee ?? "the assignee";
  return `${counted(number, "task")}, one for each matching invoice without one; ${whom} gets a mail for each.`;
}

function links(plan: Plan): string[] {
  const { links: number, emails_again: again, messages, send_at: first, last_send_at: last, timezone } = plan;
  const onSeveralDays = first !== null && last !== null && dayOf(first, timezone) !== dayOf(last, timezone);
  return [
    number === 0 ? "No new payment links." : `${counted(number, "payment link")}: ${amounts(plan.amounts)}`,
    ...(again === 0 ? [] : [`${counted(again, "live link")} mailed again, which disabling had stopped`]),
    ...(messages === 0 ? [] : [messagesLine(plan, onSeveralDays)]),
    ...plan.recipients.map((message) => recipient(message, onSeveralDays ? timezone : null)),
    ...(plan.more_recipients === 0 ? [] : [`  and ${plan.more_recipients} more`]),
  ];
}

function messagesLine({ messages, send_at: at, timezone }: Plan, onSeveralDays: boolean): string {
  const first = localTime(at ?? "", timezone);
  return onSeveralDays
    ? `${counted(messages, "message")}, one per customer and day, the first on ${first}, to`
    : `${counted(messages, "message")}, one per customer, on ${first}, to`;
}

function recipient(message: Plan["recipients"][number], timezone: string | null): string {
  const { customer, email, links: number, amounts: sums, send_at: at } = message;
  const day = timezone === null ? "" : `, on ${dayOf(at, timezone)}`;
  return `  ${customer === null ? email : `${customer} <${email}>`}: ${counted(number, "link")}, ${amounts(sums)}${day}`;
}

function leftOut(plan: Plan): string[] {
  const { held_by_task: held, withdrawn_by_person: withdrawn, erp_disconnected: gone, later } = plan;
  const currencies = plan.not_chargeable.map(({ currency }) => (currency === "UNKNOWN" ? "an unknown one" : currency));
  const unchargeable = plan.not_chargeable.reduce((sum, { invoices }) => sum + invoices, 0);
  return [
    ...plan.refused.map(({ reason, links: refused }) => `${refused} cannot be made: ${reason}`),
    ...(held === 0 ? [] : [`${counted(held, "invoice")} left out: a task holds ${held === 1 ? "it" : "them"}`]),
    ...(withdrawn === 0 ? [] : [`${counted(withdrawn, "invoice")} left out: a person withdrew the link`]),
    ...(gone === 0 ? [] : [`${counted(gone, "invoice")} left out: the ERP is disconnected`]),
    ...(unchargeable === 0
      ? []
      : [
          `${counted(unchargeable, "invoice")} left out: their currency is charged by no connected provider (${currencies.join(", ")})`,
        ]),
    ...(later === 0 ? [] : [`${counted(later, "invoice")} later, as installments come due`]),
  ];
}

const amounts = (sums: z.output<typeof Amounts>): string =>
  sums.map(({ amount, currency }) => readableMoney(money(amount), currency)).join(", ");

const dayOf = (instant: string, timezone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: timezone, dateStyle: "medium" }).format(new Date(instant));
