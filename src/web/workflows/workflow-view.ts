import type { z } from "zod";
import type { findCustomers } from "../../core/customers/operations/find-customers.ts";
import { counted } from "../../core/kernel/counted.ts";
import type { WorkflowType } from "../../core/workflows/schema.ts";
import { emailAddress, type Html, html, type Inserted } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { type ShownWorkflow, WORKFLOW_NAMES, WORKFLOW_WORDS, workflowTypeOf } from "../kit/workflow-words.ts";
import { chip } from "../lists/figures.ts";
import { listTabs } from "../lists/list-pages.ts";

type Named = z.output<typeof findCustomers.output>["named"];

/** Names that a card shows of the customers of a rule. */
const NAMES_SHOWN = 5;

interface WorkflowsView {
  visit: WorkspaceVisit;
  workflows: readonly ShownWorkflow[];
  /** The customers of rules. */
  customers: Named;
}

/** `/workflows`: what runs by itself in a workspace. */
export function workflowsView(view: WorkflowsView): Html {
  const { visit, workflows } = view;
  const card = (type: WorkflowType): Html =>
    workflowCard(
      type,
      workflows.find((one) => one.type === type),
      view,
    );
  return html`<div class="title"><div><h1>Workflows</h1><p class="quiet">What runs by itself after each sync. Nothing happens before a workflow is turned on, and each says first what it would do.</p></div></div>
${listTabs(visit)}
${doneNote(visit)}
<div class="forms">${card("auto_generate")}${card("payment_arrangement")}</div>
${!visit.isAdmin && html`<p class="quiet">Admins of the workspace turn workflows on and off.</p>`}`;
}

const WHAT_FOLLOWS = {
  auto_generate: "Its links are being made now, and its mails go out at their time. The history tells of each.",
  payment_arrangement: "Its tasks are being opened now. The history tells of each.",
} as const;

/** What was just done with the workflow in the address. */
function doneNote(visit: WorkspaceVisit): Html | null {
  const type = workflowTypeOf(visit.parameter("type") ?? undefined);
  if (type === undefined) return visit.note({});
  const name = WORKFLOW_NAMES[type];
  const [cancelled, kept] = [visit.numberIn("cancelled"), visit.numberIn("kept")];
  return visit.note({
    on: `${name} is on. ${WHAT_FOLLOWS[type]}`,
    saved: `The settings of ${name} were saved. ${WHAT_FOLLOWS[type]}`,
    off: `${name} is off.\
${cancelled > 0 ? ` ${counted(cancelled, "scheduled mail")} will not be sent.` : ""}\
${kept > 0 ? ` ${counted(kept, "scheduled mail")} will still be sent.` : ""}`,
  });
}

function workflowCard(type: WorkflowType, workflow: ShownWorkflow | undefined, view: WorkflowsView): Html {
  const { visit } = view;
  const isOn = workflow?.enabled === true;
  const path = `/workflows/${type}`;
  const name = WORKFLOW_NAMES[type];
  const label = (words: string): Html => html`${words}<span class="unseen">: ${name}</span>`;
  const runs = workflow !== undefined && visit.address("/workflow-history", { workflow_id: workflow.id });
  const history = runs !== false && html`<a href="${runs}">${label("History")}</a>`;
  return html`<article class="card" aria-labelledby="w-${type}">
<div class="head"><h2 id="w-${type}">${name}</h2>${isOn ? chip("On", "good") : chip("Off", "quiet")}</div>
<p>${WORKFLOW_WORDS[type]}</p>
${workflow !== undefined && html`<dl class="facts">${settingsOf(workflow, view).map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`}
${
  visit.isAdmin &&
  html`<div class="actions"><a class="button${isOn && " plain"}" href="${visit.address(`${path}/preview`)}">${isOn ? label("Change settings") : label("Preview and turn on")}</a>${isOn && html`<a class="danger" href="${visit.address(`${path}/disable`)}">${label("Turn off")}</a>`}${history}</div>`
}
${!visit.isAdmin && history && html`<p>${history}</p>`}
</article>`;
}

function settingsOf(workflow: ShownWorkflow, { visit, customers }: WorkflowsView): (readonly [string, Inserted])[] {
  const { type, scheduled, days_before_due: days, send_at: at, minimum_amount: minimum, assignee } = workflow;
  if (type === "auto_generate")
    return [
      [
        "Links for",
        (days ?? 0) === 0 ? "what is due or overdue" : `what is overdue, or due within ${counted(days ?? 0, "day")}`,
      ],
      ["Mails go out at", `${at ?? "–"}, ${visit.workspace.timezone}`],
      ["Scheduled", scheduledInWords(scheduled, visit)],
    ];
  const mine = customers.filter(({ id }) => workflow.customers.includes(id));
  const names = mine.slice(0, NAMES_SHOWN).map(({ name, number }) => name ?? number ?? "one without a name");
  const more = workflow.customers.length - names.length;
  return [
    [
      "Assignee",
      assignee === null ? html`<span class="overdue">Nobody: the member was removed</span>` : emailAddress(assignee),
    ],
    ["Minimum amount", minimum === null ? "None" : `${minimum}, in the invoice's currency`],
    ["Customers", workflow.customers.length === 0 ? "All" : [names.join("; "), more > 0 && ` and ${more} more`]],
  ];
}

/** "3 mails with 5 links, the first on 26 Nov 2026, 09:00". */
export function scheduledInWords(
  { messages, links, first_at: first }: ShownWorkflow["scheduled"],
  { workspace }: WorkspaceVisit,
): Html {
  if (messages === 0 || first === null) return html`No mail`;
  return html`${counted(messages, "mail")} with ${counted(links, "link")}, the first on ${timeElement(first, workspace.timezone)}`;
}

/** Asks an admin whether a workflow is to be turned off, and what happens to its scheduled mails. */
export function disableView(workflow: ShownWorkflow, visit: WorkspaceVisit): Html {
  const { type, scheduled } = workflow;
  const name = WORKFLOW_NAMES[type];
  const { messages } = scheduled;
  const off = messages > 0 ? `Turn off and cancel ${counted(messages, "mail")}` : "Turn off";
  const keep = html`
<button class="danger" name="keep" value="yes">Turn off, but send ${messages === 1 ? "it" : "them"}</button>`;
  const body = html`<div class="actions"><button class="danger">${off}</button>${messages > 0 && keep}</div>`;
  const means =
    type === "auto_generate"
      ? html`<li>No more payment links are made. Those it made stay payable.</li>
<li>Scheduled: ${scheduledInWords(scheduled, visit)}.</li>`
      : html`<li>No more tasks are opened. Those it opened stay, and keep Auto Generate from their invoices until they are
dismissed.</li>`;
  return html`<h1>Turn ${name} off?</h1>
<ul>
${means}
${messages > 0 && AGAIN}
</ul>
${visit.form(`/workflows/${type}/disable`, body)}
<p><a href="${visit.address("/workflows")}">Keep it on</a></p>`;
}

const AGAIN = html`<li>Mails that are cancelled are scheduled again once it is turned on again, for links that are payable
then.</li>`;
