import type { z } from "zod";
import type { findCustomers } from "../../core/customers/operations/find-customers.ts";
import { counted } from "../../core/kernel/counted.ts";
import type { WorkflowType } from "../../core/workflows/schema.ts";
import {
  actions,
  buttonLink,
  emailAddress,
  type Fact,
  facts,
  html,
  link,
  muted,
  paragraph,
  type ShownWorkflow,
  unseen,
  WORKFLOW_NAMES,
  WORKFLOW_WORDS,
  workflowTypeOf,
} from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { chip } from "../lists/list.ts";

type Named = z.output<typeof findCustomers.output>["named"];

/** Names that a card shows of the customers of a rule. */
const NAMES_SHOWN = 5;

interface WorkflowsView {
  visit: WorkspaceVisit;
  workflows: readonly ShownWorkflow[];
  /** The customers of rules. */
  customers: Named;
}

/** Shows what runs by itself in a workspace. */
export function showCards(view: WorkflowsView) {
  const { visit, workflows } = view;
  const cardOf = (type: WorkflowType) =>
    workflowCard(
      type,
      workflows.find((one) => one.type === type),
      view,
    );
  visit.showPage(
    { title: "Workflows", about: muted(INTRO), isListed: true },
    doneNote(visit),
    html`<div class="forms">${TYPES.map(cardOf)}</div>`,
    !visit.isAdmin && muted("Admins of the workspace turn workflows on and off."),
  );
}

const TYPES = ["auto_generate", "payment_arrangement"] as const;
const INTRO =
  "What runs by itself after each sync. Nothing happens before a workflow is turned on, and each says first what it \
would do.";

const WHAT_FOLLOWS = {
  auto_generate: "What matches gets its links now, and mails go out at their time. The history tells of each.",
  payment_arrangement: "Tasks for what matches are opened now. The history tells of each.",
} as const;

/** What was just done with the workflow in the address. */
function doneNote(visit: WorkspaceVisit) {
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

function workflowCard(type: WorkflowType, workflow: ShownWorkflow | undefined, view: WorkflowsView) {
  const { visit } = view;
  const isOn = workflow?.enabled === true;
  const path = `/workflows/${type}`;
  const name = WORKFLOW_NAMES[type];
  const label = (words: string) => [words, unseen(`: ${name}`)];
  const history =
    workflow !== undefined && visit.link("/workflow-history", label("History"), { workflow_id: workflow.id });
  const preview = label(isOn ? "Change settings" : "Preview and turn on");
  const acts = actions(
    buttonLink(visit.address(`${path}/preview`), preview, isOn ? "plain" : ""),
    (isOn || isMailing(workflow)) &&
      link(visit.address(`${path}/disable`), label(isOn ? "Turn off" : "Cancel its mails"), html` class="danger"`),
    history,
  );
  return html`<article class="card" aria-labelledby="w-${type}">
<div class="head"><h2 id="w-${type}">${name}</h2>${isOn ? chip("On", "good") : chip("Off", "quiet")}</div>
${paragraph(WORKFLOW_WORDS[type])}
${workflow !== undefined && facts(settingsOf(workflow, view))}
${visit.isAdmin ? acts : history && paragraph(history)}
</article>`;
}

function settingsOf(workflow: ShownWorkflow, { visit, customers }: WorkflowsView): Fact[] {
  const { type, scheduled, days_before_due: days, send_at: at, minimum_amount: minimum, assignee } = workflow;
  if (type === "auto_generate")
    return [
      [
        "Links for",
        (days ?? 0) === 0 ? "What is due or overdue" : `What is overdue, or due within ${counted(days ?? 0, "day")}`,
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
  visit: WorkspaceVisit,
) {
  if (messages === 0 || first === null) return html`No mail`;
  const at = visit.time(first);
  return html`${counted(messages, "mail")} with ${counted(links, "link")}, the first on ${at}`;
}

/** Whether mails of it are scheduled, as those are that were kept when it was turned off. */
export const isMailing = (workflow: ShownWorkflow | undefined) => (workflow?.scheduled.messages ?? 0) > 0;

/** Asks an admin whether a workflow is to be turned off, and what happens to its scheduled mails. */
export function disableView(workflow: ShownWorkflow, visit: WorkspaceVisit) {
  const { type, scheduled, enabled } = workflow;
  const name = WORKFLOW_NAMES[type];
  const { messages } = scheduled;
  if (!enabled)
    return {
      question: `Cancel the mails of ${name}?`,
      consequences: [html`Scheduled: ${scheduledInWords(scheduled, visit)}.`, AGAIN],
      button: `Cancel ${counted(messages, "mail")}`,
      stay: "Let them go out",
    };
  const off = messages > 0 ? `Turn off and cancel ${counted(messages, "mail")}` : "Turn off";
  const keep = html`
<button class="danger" name="keep" value="yes">Turn off, but send ${messages === 1 ? "it" : "them"}</button>`;
  const means =
    type === "auto_generate"
      ? [
          "No more payment links are made. Those it made stay payable.",
          messages > 0 && html`Scheduled: ${scheduledInWords(scheduled, visit)}.`,
        ]
      : [TASKS_STAY];
  return {
    question: `Turn ${name} off?`,
    consequences: [...means, messages > 0 && AGAIN],
    button: off,
    more: messages > 0 && keep,
    stay: "Keep it on",
  };
}

const TASKS_STAY =
  "No more tasks are opened. Until those it opened are dismissed, Auto Generate makes no links for their invoices.";
const AGAIN =
  "Mails that are cancelled are scheduled again once it is turned on again, for links that are payable then.";
