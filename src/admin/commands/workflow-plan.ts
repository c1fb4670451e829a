import { z } from "zod";
import { readableMoney } from "../../core/mail/readable.ts";
import { money } from "../../core/money.ts";

const Amounts = z.array(z.object({ currency: z.string(), links: z.int(), amount: z.string() }));

/** A plan as it comes back from whoever executed the command. */
const Plan = z.object({
  tasks: z.int(),
  links: z.int(),
  amounts: Amounts,
  emails_again: z.int(),
  messages: z.int(),
  send_at: z.string().nullable(),
  timezone: z.string(),
  recipients: z.array(
    z.object({ customer: z.string().nullable(), email: z.string(), links: z.int(), amounts: Amounts }),
  ),
  more_recipients: z.int(),
  refused: z.array(z.object({ reason: z.string(), links: z.int() })),
  held_by_task: z.int(),
  withdrawn_by_person: z.int(),
  later: z.int(),
});
type Plan = z.output<typeof Plan>;

/** A plan of workflows in words; null for what is none. */
export function planInWords(value: unknown): string | null {
  const { success, data: plan } = Plan.safeParse(value);
  if (!success) return null;
  const { links, messages, tasks, send_at: sendAt, held_by_task: held, withdrawn_by_person: withdrawn, later } = plan;
  const lines = [
    links === 0 ? "No payment links." : `${count(links, "payment link")}: ${amounts(plan.amounts)}`,
    ...(messages === 0
      ? []
      : [`${count(messages, "message")}, one per customer, on ${localTime(sendAt ?? "", plan.timezone)}, to`]),
    ...plan.recipients.map(recipient),
    ...(plan.more_recipients === 0 ? [] : [`  and ${plan.more_recipients} more`]),
    ...(plan.emails_again === 0
      ? []
      : [`${count(plan.emails_again, "email")} that disabling cancelled scheduled again, for links that are live`]),
    ...(tasks === 0 ? [] : [`${count(tasks, "task")} for the assignee, each with a mail`]),
    ...plan.refused.map(({ reason, links: refused }) => `${refused} cannot be made: ${reason}`),
    ...(held === 0 ? [] : [`${count(held, "invoice")} held by a task`]),
    ...(withdrawn === 0 ? [] : [`${count(withdrawn, "invoice")} left out: a person withdrew the link`]),
    ...(later === 0 ? [] : [`${count(later, "invoice")} later, as installments come due`]),
  ];
  return lines.join("\n");
}

function recipient({ customer, email, links, amounts: sums }: Plan["recipients"][number]): string {
  return `  ${customer === null ? email : `${customer} <${email}>`}: ${count(links, "link")}, ${amounts(sums)}`;
}

const amounts = (sums: z.output<typeof Amounts>): string =>
  sums.map(({ amount, currency }) => readableMoney(money(amount), currency)).join(", ");

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

function localTime(instant: string, timezone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, dateStyle: "medium", timeStyle: "short" });
  return `${format.format(new Date(instant))} (${timezone})`;
}
