import { hash } from "node:crypto";
import { listMembers } from "../../../auth/members/member.ts";
import { findCustomers } from "../../core/customers/operations/find-customers.ts";
import type { ErrorDetail } from "../../core/kernel/error.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { DEFAULT_SEND_AT } from "../../core/payment-links/emails/send-time.ts";
import type { WorkflowType } from "../../core/workflows/schema.ts";
import { DEFAULT_DAYS_BEFORE_DUE } from "../../core/workflows/settings.ts";
import { GIVE_AN_AMOUNT } from "../collecting/amounts.ts";
import { hidden, html, input, muted, type ShownWorkflow, select, submit, tick } from "../kit/markup.ts";
import { nameInForm, sentence, shownIn, WORKSPACE, type WorkspaceVisit } from "../kit/page.ts";

/** A workflow's settings as they were sent, else the stored ones or the defaults: the parameters of an address. */
export interface TypedWorkflow {
  readonly type: WorkflowType;
  readonly stored: ShownWorkflow | undefined;
  readonly typed: URLSearchParams;
  /** Somebody changed meanwhile what was changed in the form too. */
  readonly isClash: boolean;
}

/** Customers that a page can choose; a rule with more of them keeps them. */
const MOST_CUSTOMERS = 300;

/** What a form says it was made from: nobody undoes unseen what somebody changed meanwhile. */
export const versionOf = (stored: ShownWorkflow | undefined) => `${stored?.enabled} ${stored?.updated_at}`;

/** A query or a form; of what was given several times, all. */
type Sent = Readonly<Record<string, unknown>>;

/** Whether the form was sent. */
export const isSent = (sent: Sent) => sent.given === "yes";

const isKept = ({ stored }: Pick<TypedWorkflow, "stored">) =>
  stored !== undefined && stored.customers.length > MOST_CUSTOMERS;

/** Three hundred ids are too long for an address. */
const listed = (ids: readonly string[]) => hash("sha256", [...ids].sort().join(" "), "base64url").slice(0, 12);

/** The settings in a query or a form; those that nobody changed in it as they are stored by now. */
export function typedIn(sent: Sent, type: WorkflowType, stored: ShownWorkflow | undefined) {
  const typed = new URLSearchParams({ given: "yes", was: versionOf(stored) });
  const before = shownIn(sent.shown);
  const shown: Record<string, string> = {};
  let isClash = false;
  const note = (name: string, now: string, isTyped: boolean) => {
    shown[name] = now;
    if (isTyped && before[name] !== undefined && before[name] !== now) isClash = true;
  };
  const put = (name: string, otherwise: string) => {
    const text = typeof sent[name] === "string" ? sent[name].trim() : "";
    const isTyped = isSent(sent) && text !== before[name];
    typed.set(name, isTyped ? text : otherwise);
    note(name, otherwise, isTyped);
  };
  if (type === "auto_generate") {
    put("send_at", stored?.send_at ?? DEFAULT_SEND_AT);
    put("days_before_due", String(stored?.days_before_due ?? DEFAULT_DAYS_BEFORE_DUE));
  } else {
    put("minimum_amount", stored?.minimum_amount ?? "");
    put("assignee", stored?.assignee ?? "");
    const chosen = [sent.customer].flat().flatMap((id) => (typeof id === "string" && id !== "" ? id : []));
    const boxes = isKept({ stored }) ? [] : (stored?.customers ?? []);
    const isTyped = isSent(sent) && listed(chosen) !== before.customers;
    if (!isKept({ stored })) for (const id of isTyped ? chosen : boxes) typed.append("customer", id);
    note("customers", listed(boxes), isTyped);
  }
  typed.set("shown", JSON.stringify(shown));
  return { type, stored, typed, isClash };
}

/** What an operation is told of them. */
export function givenOf({ type, typed, stored }: TypedWorkflow) {
  const of = (name: string) => typed.get(name) ?? "";
  const days = of("days_before_due");
  if (type === "auto_generate")
    return { type, sendAt: of("send_at"), daysBeforeDue: /^\d{1,9}$/.test(days) ? Number(days) : -1 };
  const customers = typed.getAll("customer");
  const chosen = isKept({ stored }) ? {} : { customers: customers.length === 0 ? null : customers };
  return { type, minimumAmount: of("minimum_amount") || null, assignee: of("assignee"), ...chosen };
}

interface SettingsForm extends TypedWorkflow {
  readonly visit: WorkspaceVisit;
  readonly problems: readonly ErrorDetail[];
}

/** The form of a workflow's settings: sent, it shows what would happen with them. */
export async function workflowForm(form: SettingsForm) {
  const { type, visit, typed } = form;
  const path = `/workflows/${type}/preview`;
  return html`<form class="card" method="get" action="${path}" aria-label="Settings" autocomplete="off">
${type === "auto_generate" ? generatorFields(form) : await arrangementFields(form)}
${hidden(WORKSPACE, visit.workspace.tenantId)}${hidden("given", "yes")}${hidden("shown", typed.get("shown") ?? "")}
${submit("Show what would happen", html` class="plain"`)}</form>`;
}

/** What is said of fields that were not filled in rightly. */
const ASKED: Readonly<Record<string, string>> = {
  daysBeforeDue: "Give a number of days from 0 to 365.",
  sendAt: "Give a time, such as 09:30.",
  minimumAmount: GIVE_AN_AMOUNT,
};

/** A field by its name in the operation's input. */
function fieldOf({ problems }: SettingsForm, key: string, label: string, hint: string) {
  const name = nameInForm(key);
  const found = problems.find((one) => one.field === key || one.field.startsWith(`${key}[`));
  const say = found && (ASKED[key] ?? sentence(found.onPage ?? found.message));
  return { id: name, name, label, hint, problem: say };
}

function generatorFields(form: SettingsForm) {
  const { typed, visit } = form;
  const bounds = "0 to 365. What is overdue gets a link in any case.";
  const days = typed.get("days_before_due");
  const number = html`inputmode="numeric" required maxlength="3" value="${days}" autocomplete="off"`;
  const time = html`type="time" required value="${typed.get("send_at")}"`;
  const clock = `In the workspace's timezone, ${visit.workspace.timezone}.`;
  return [
    input(fieldOf(form, "daysBeforeDue", "Days before the due date", bounds), number),
    input(fieldOf(form, "sendAt", "Mails go out at", clock), time),
  ];
}

async function arrangementFields(form: SettingsForm) {
  const { typed, visit, problems } = form;
  const assignee = typed.get("assignee");
  const people = (await visit.call(listMembers, {})).map(({ email, name }) => {
    return { value: email, label: name === null ? email : `${name}, ${email}` };
  });
  const options = [...(assignee === "" ? [{ value: "", label: "Choose a member" }] : []), ...people];
  const asked = fieldOf(form, "assignee", "Assignee", "Gets a mail for each task.");
  const problem = assignee === "" && problems.length > 0 ? "Choose a member." : asked.problem;
  const bounds = "Of the whole invoice, in its own currency. Empty for none.";
  const amount = html`inputmode="decimal" maxlength="50" value="${typed.get("minimum_amount")}" autocomplete="off"`;
  return [
    select({ ...asked, problem }, options, assignee),
    input(fieldOf(form, "minimumAmount", "Minimum amount", bounds), amount),
    await customerFields(form),
  ];
}

async function customerFields({ visit, stored, typed, problems }: SettingsForm) {
  if (isKept({ stored }))
    return muted(`${stored?.customers.length} customers are chosen, more than this page can change: they stay. An \
operator can change them.`);
  const search = visit.parameter("search") ?? "";
  const chosen = typed.getAll("customer");
  // Others are named by the plan's own answer.
  const ids = chosen.filter((id) => Uuid.safeParse(id).success).slice(0, 1_000);
  const { named, found } = await visit.call(findCustomers, { ids, search: search.slice(0, 100) });
  const isWrong = problems.some(({ field }) => field.startsWith("customers"));
  const others = found.filter(({ id }) => !chosen.includes(id));
  const box = ({ id, name, number }: (typeof found)[number], isChosen: boolean) =>
    tick("customer", id, [name ?? "Without a name", number ?? []].flat().join(", "), isChosen ? "ticked" : null);
  const none = "None is chosen: invoices of every customer count.";
  const more = others.length === 0 ? "No other customer is called that." : "Tick those to add:";
  const text = html`type="search" maxlength="100" value="${search}" autocomplete="off"`;
  return html`<fieldset><legend>Customers</legend>
${isWrong && html`<p class="problem">One of them is not a customer of the workspace.</p>`}
${muted(named.length === 0 ? none : "Invoices of these customers only:")}
${named.map((one) => box(one, true))}
${input({ id: "search", name: "search", label: "Find customers by name or number" }, text)}
${search !== "" && [muted(more), others.map((one) => box(one, false))]}
</fieldset>`;
}
