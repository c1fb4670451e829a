import type { z } from "zod";
import type { Bucket } from "../../core/aging/buckets.ts";
import type { Role, Scope } from "../../core/gate/actor.ts";
import { counted } from "../../core/kernel/counted.ts";
import { capital } from "../../core/kernel/text.ts";
import { readableTime } from "../../core/mail/readable.ts";
import type { listWorkflowSettings } from "../../core/workflows/operations/list-workflows.ts";
import type { WorkflowType } from "../../core/workflows/schema.ts";
import { emailAddress, html } from "./html.ts";
import { aside, points } from "./parts.ts";

/** What a connection with a scope may do, as a person reads it (completions §2). */
export const MAY: Readonly<Record<Scope, string>> = {
  "receivables:read":
    "Read invoices, installments, customers, aging reports, payment links, payments, tasks, workflows and their \
history, payment integrations, ERP connections and sync runs",
  "payment_links:write": "Issue and withdraw payment links, and reschedule or cancel their scheduled emails",
  "tasks:write": "Dismiss tasks",
  "receipts:push": "Push held payment receipts to the ERP",
};

/** The same in a few words, for tables. */
export const MAY_BRIEFLY: Readonly<Record<Scope, string>> = {
  "receivables:read": "Read receivables",
  "payment_links:write": "Issue and withdraw payment links, and change their mails",
  "tasks:write": "Dismiss tasks",
  "receipts:push": "Push held receipts to the ERP",
};

/** How a receipt stands in the ERP: the words, and how good or bad that is. */
export const RECEIPTS = {
  held: ["Held", "waits"],
  pending: ["Queued", "plain"],
  processing: ["Being written", "plain"],
  posted: ["In the ERP, not applied", "waits"],
  applied: ["Applied", "good"],
  failed: ["Failed", "failed"],
  reversed: ["Reversed", "failed"],
} as const;

/** The roles as people read them. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = { admin: "Admin", member: "Member" };

/** What no connection can ever do (service.md §1). */
export const NEVER: readonly string[] = [
  "Send an email it wrote itself",
  "Take, refund or move money",
  "Change members, integrations or API keys",
  "Delete invoices, payment links, payments, members or integrations",
];

/** What a connection may do, as a list. */
export const mayList = (...words: string[]) => points(words, "may");
export const NEVER_LIST = points(NEVER, "never");

const either = new Intl.ListFormat("en", { type: "disjunction" });

/** "A, B or C". */
export function namesJoinedByOr(names: readonly string[]) {
  return either.format(names);
}

/** An instant as people of a time zone write it: `22 Nov 2026, 14:05`; it may break between day and time only. */
export function dateTime(instant: string, timeZone: string) {
  const [date = "", time = ""] = readableTime(instant, timeZone).split(", ");
  return `${date.replaceAll(" ", "\u00a0")}, ${time}`;
}

/** The same as markup that also holds the instant itself. */
export function timeElement(instant: string, timezone: string) {
  return html`<time datetime="${instant}">${dateTime(instant, timezone)}</time>`;
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** The whole units of the time since an instant, the largest that there are; null for less than a minute. */
function passed(instant: string, now: Date): [number, "day" | "hour" | "minute"] | null {
  const seconds = Math.max(0, (now.getTime() - Date.parse(instant)) / 1000);
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? [null, 1];
  return unit === null ? null : [Math.floor(seconds / length), unit];
}

/** "3 hours ago". */
export function ago(instant: string, now: Date) {
  const time = passed(instant, now);
  return time === null ? "just now" : relative.format(-time[0], time[1]);
}

/** "3 hours". */
export function forHowLong(instant: string, now: Date) {
  const time = passed(instant, now);
  return time === null ? "a moment" : counted(time[0], time[1]);
}

/** Labels of the aging buckets. */
export const BUCKET_WORDS: Readonly<Record<Bucket, string>> = {
  current: "Not overdue",
  days_1_30: "1–30 days",
  days_31_60: "31–60 days",
  days_61_90: "61–90 days",
  over_90: "Over 90 days",
};

/** Names that would be misread or taken for another, and the figures that pages and files call otherwise. */
const OWN_WORDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(BUCKET_WORDS),
  ["past_expected", "Past habit"],
  ["amount_collected", "Collected"],
  ["available_amount", "Without a link"],
  ["deactivatePaymentLink", "Withdraw payment link"],
  ["createPaymentLinks", "Create several payment links"],
]);

/** The name of an operation or a kind of object as people read it: `createPaymentLinks` is "Create payment links". */
export function inWords(name: string) {
  const own = OWN_WORDS.get(name);
  if (own !== undefined) return own;
  const spelt = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("_", " ");
  return capital(spelt.replace(/\b(erp|api)\b/g, (short) => short.toUpperCase()));
}

/** Somebody by their name, with the email below it. */
export function personView({ name, email }: { name: string | null; email: string }) {
  if (name === null) return emailAddress(email);
  return html`${name}<br>${aside(emailAddress(email))}`;
}

/** A workflow as its page shows it. */
export type ShownWorkflow = z.output<typeof listWorkflowSettings.output>["data"][number];

/** What people call the workflows. */
export const WORKFLOW_NAMES: Readonly<Record<WorkflowType, string>> = {
  auto_generate: "Auto Generate",
  payment_arrangement: "Payment Arrangement",
};

/** What each does, in a sentence. */
export const WORKFLOW_WORDS: Readonly<Record<WorkflowType, string>> = {
  auto_generate:
    "Makes a payment link for what is overdue or due soon, and mails each customer all of theirs once a day.",
  payment_arrangement:
    "Opens a task for invoices that need a person, and holds Auto Generate back from them until the task is dismissed.",
};

/** The type in an address; undefined for other text. */
export function workflowTypeOf(text: string | undefined): WorkflowType | undefined {
  return text === "auto_generate" || text === "payment_arrangement" ? text : undefined;
}
