import type { z } from "zod";
import type { Member } from "../../../auth/members/member.ts";
import type { findCustomers } from "../../core/customers/operations/find-customers.ts";
import { type ErrorDetail, ServiceError } from "../../core/kernel/error.ts";
import { DEFAULT_SEND_AT } from "../../core/payment-links/emails/send-time.ts";
import type { planWorkflow } from "../../core/workflows/operations/plan-workflow.ts";
import type { WorkflowType } from "../../core/workflows/schema.ts";
import { DEFAULT_DAYS_BEFORE_DUE } from "../../core/workflows/settings.ts";
import { hidden, input, select, tick } from "../kit/fields.ts";
import { sentence } from "../kit/form.ts";
import { type Html, html } from "../kit/html.ts";
import type { ShownWorkflow } from "../kit/workflow-words.ts";

/** What the form has of a workflow's settings, as typed. */
export interface TypedWorkflow {
  readonly sendAt: string;
  readonly days: string;
  readonly minimum: string;
  readonly assignee: string;
  readonly customers: readonly string[];
}

type Given = z.input<typeof planWorkflow.input>;
type Named = z.output<typeof findCustomers.output>;

/** Customers that a page can choose; a rule with more of them keeps them. */
const MOST_CUSTOMERS = 300;

/** A value of a query or a form by its name; more than one where it was given several times. */
type Sent = Readonly<Record<string, unknown>>;

const textIn = (sent: Sent, name: string): string => (typeof sent[name] === "string" ? sent[name].trim() : "");

/** The settings as they were sent; the stored ones, else the defaults, where the form was not sent yet. */
export function typedIn(sent: Sent, stored: ShownWorkflow | undefined): TypedWorkflow {
  if (!isSent(sent))
    return {
      sendAt: stored?.send_at ?? DEFAULT_SEND_AT,
      days: String(stored?.days_before_due ?? DEFAULT_DAYS_BEFORE_DUE),
      minimum: stored?.minimum_amount ?? "",
      assignee: stored?.assignee ?? "",
      customers: stored?.customers ?? [],
    };
  const several = [sent.customer].flat().filter((one) => typeof one === "string" && one !== "");
  return {
    sendAt: textIn(sent, "send_at"),
    days: textIn(sent, "days_before_due"),
    minimum: textIn(sent, "minimum_amount"),
    assignee: textIn(sent, "assignee"),
    customers: isKept(stored) ? (stored?.customers ?? []) : several.map(String),
  };
}

/** Whether the form was sent. */
export const isSent = (sent: Sent): boolean => textIn(sent, "given") === "yes";

const isKept = (stored: ShownWorkflow | undefined): boolean => (stored?.customers.length ?? 0) > MOST_CUSTOMERS;

/** What an operation is told of them. */
export function givenOf(type: WorkflowType, typed: TypedWorkflow, stored: ShownWorkflow | undefined): Given {
  const { sendAt, days, minimum, assignee, customers } = typed;
  if (type === "auto_generate") return { type, sendAt, daysBeforeDue: /^\d{1,9}$/.test(days) ? Number(days) : -1 };
  const chosen = isKept(stored) ? {} : { customers: customers.length === 0 ? null : [...customers] };
  return { type, minimumAmount: minimum === "" ? null : minimum, assignee, ...chosen };
}

/** The same as parameters of an address or hidden fields. */
export function fieldsOf(
  type: WorkflowType,
  typed: TypedWorkflow,
): readonly (readonly [name: string, value: string])[] {
  const { sendAt, days, minimum, assignee, customers } = typed;
  if (type === "auto_generate")
    return [
      ["given", "yes"],
      ["send_at", sendAt],
      ["days_before_due", days],
    ];
  const chosen = customers.length > MOST_CUSTOMERS ? [] : customers.map((id) => ["customer", id] as const);
  return [["given", "yes"], ["minimum_amount", minimum], ["assignee", assignee], ...chosen];
}

/** What is wrong with settings. Rethrows errors that are not about them. */
export function settingsProblems(error: unknown): readonly ErrorDetail[] {
  if (!(error instanceof ServiceError) || error.code !== "validation_failed") throw error;
  return error.details ?? [{ field: "", message: error.message }];
}

interface SettingsForm {
  type: WorkflowType;
  action: string;
  /** The workspace's id, which the address names. */
  workspace: string;
  typed: TypedWorkflow;
  problems: readonly ErrorDetail[];
  members: readonly Member[];
  customers: Named;
  search: string;
  timezone: string;
}

/** The form of a workflow's settings: sent, it shows what would happen with them. */
export function workflowForm(form: SettingsForm): Html {
  const { type, action, workspace, search } = form;
  return html`<form class="card" method="get" action="${action}" aria-label="Settings">
${type === "auto_generate" ? generatorFields(form) : arrangementFields(form, search)}
${hidden("workspace", workspace)}${hidden("given", "yes")}
<div class="actions"><button class="plain">Show what would happen</button></div></form>`;
}

function problemOf({ problems }: SettingsForm, field: string): string | undefined {
  const found = problems.find((one) => one.field === field || one.field.startsWith(`${field}[`));
  return found && sentence(found.onPage ?? found.message);
}

function generatorFields(form: SettingsForm): Html {
  const { typed, timezone } = form;
  return html`${input(
    {
      ...{ id: "days_before_due", name: "days_before_due", label: "Days before the due date" },
      hint: "0 to 365. What is overdue gets a link in any case.",
      problem: problemOf(form, "daysBeforeDue"),
    },
    html`inputmode="numeric" required maxlength="3" value="${typed.days}" autocomplete="off"`,
  )}
${input(
  {
    ...{ id: "send_at", name: "send_at", label: "Mails go out at" },
    hint: `In the workspace's timezone, ${timezone}.`,
    problem: problemOf(form, "sendAt"),
  },
  html`type="time" required value="${typed.sendAt}"`,
)}`;
}

function arrangementFields(form: SettingsForm, search: string): Html {
  const { typed, members } = form;
  const people = members.map(({ email, name }) => ({
    value: email,
    label: name === null ? email : `${name}, ${email}`,
  }));
  const options = [...(typed.assignee === "" ? [{ value: "", label: "Choose a member" }] : []), ...people];
  return html`${select(
    {
      ...{ id: "assignee", name: "assignee", label: "Assignee", hint: "Gets a mail for each task." },
      problem: typed.assignee === "" && form.problems.length > 0 ? "Choose a member." : problemOf(form, "assignee"),
    },
    options,
    typed.assignee,
  )}
${input(
  {
    ...{ id: "minimum_amount", name: "minimum_amount", label: "Minimum amount" },
    hint: "Of the whole invoice, in its own currency. Empty for none.",
    problem: problemOf(form, "minimumAmount"),
  },
  html`inputmode="decimal" maxlength="50" value="${typed.minimum}" autocomplete="off"`,
)}
${customerFields(form, search)}`;
}

const called = ({ name, number }: Named["found"][number]): string =>
  [name ?? "Without a name", number].filter((part) => part !== null).join(", ");

function customerFields({ typed, customers, problems }: SettingsForm, search: string): Html {
  if (typed.customers.length > MOST_CUSTOMERS)
    return html`<p class="quiet">${typed.customers.length} customers are chosen, more than this page can change: they stay. An operator can change them.</p>`;
  const isWrong = problems.some(({ field }) => field.startsWith("customers"));
  const found = customers.found.filter(({ id }) => !typed.customers.includes(id));
  const box = (one: Named["found"][number], isChosen: boolean): Html =>
    tick("customer", one.id, called(one), isChosen ? "ticked" : null);
  return html`<fieldset><legend>Customers</legend>
${isWrong && html`<p class="problem">One of them is not a customer of the workspace.</p>`}
<p class="quiet">${customers.named.length === 0 ? "None is chosen: invoices of every customer count." : "Invoices of these customers only:"}</p>
${customers.named.map((one) => box(one, true))}
${input({ id: "search", name: "search", label: "Find customers by name or number" }, html`type="search" maxlength="100" value="${search}" autocomplete="off"`)}
${search !== "" && (found.length === 0 ? html`<p class="quiet">No other customer is called that.</p>` : html`<p class="quiet">Tick those to add:</p>${found.map((one) => box(one, false))}`)}
</fieldset>`;
}
