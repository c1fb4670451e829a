import type { z } from "zod";
import { counted } from "../../core/kernel/counted.ts";
import type { previewWorkflowMail } from "../../core/workflows/operations/preview-workflow-mail.ts";
import { confirmationOf, type EnablingPlan } from "../../core/workflows/plan-schema.ts";
import { leftOutInWords } from "../../core/workflows/plan-words.ts";
import {
  actions,
  big,
  disclosure,
  emailAddress,
  type Fact,
  facts,
  type Html,
  hidden,
  html,
  keyFacts,
  link,
  muted,
  paragraph,
  part,
  points,
  refusalNote,
  tick,
  timeElement,
  unseen,
  WORKFLOW_NAMES,
  warning,
} from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { type Column, countColumn, shownAmount, shownCount, table } from "../lists/list.ts";
import { mailFrame } from "../mails/preview-pages.ts";
import { customerLink } from "../receivables/invoice-list.ts";
import type { TypedWorkflow } from "./settings-form.ts";

type Mail = z.output<typeof previewWorkflowMail.output>;

/** A mail of a plan that somebody looks at, and where its document is. */
export interface OpenMail {
  readonly place: number;
  readonly mail: Mail;
  readonly document: string;
}

/** What a preview shows of a workflow. */
export interface Preview extends TypedWorkflow {
  readonly visit: WorkspaceVisit;
  readonly form: Html;
  /** Null while the settings do not say enough, or something is wrong with them. */
  readonly plan: EnablingPlan | null;
  /** What is wrong, or has changed since the preview was shown. */
  readonly alert: string | undefined;
  readonly status: number;
  /** The mails say how customers reach somebody. */
  readonly hasContact: boolean;
  /** The address of the page that shows the message at a place. */
  mailAt(place: number): string;
  /** The same for the messages after those that it shows. */
  readonly nextAt: string;
  readonly open: OpenMail | null;
}

/** Shows a workflow's settings, what it would do with them, with the mails, and the form that turns it on. */
export function showPreview(preview: Preview) {
  const { visit, type, stored, form, plan, alert, status, open } = preview;
  const name = WORKFLOW_NAMES[type];
  const isOn = stored?.enabled === true;
  const leftOut = plan === null ? [] : leftOutInWords(plan);
  visit.showPage(
    {
      ...{ title: `Preview of ${name}`, heading: isOn ? `Settings of ${name}` : `Turn ${name} on`, status },
      about: plan !== null && muted("Nothing is changed and nobody is mailed before you confirm it below."),
    },
    alert !== undefined && refusalNote({ message: alert }),
    form,
    plan !== null && [
      part("What would happen", [
        !plan.provider_connected && NO_PROVIDER,
        plan.messages > 0 && !preview.hasContact && NO_CONTACT,
        figures(plan),
      ]),
      plan.recipients.length > 0 && part("Who gets a mail", recipients(plan, preview)),
      open !== null && openMail(open, visit),
      leftOut.length > 0 && part("What is left out", points(leftOut)),
      confirmForm(plan, isOn, preview),
    ],
  );
}

const NO_PROVIDER = warning(html`No payment provider is connected: until one is, no link can be made.
${link("/integrations", "Connect one")}`);

const NO_CONTACT = warning(html`The mails have customers contact your company, and do not say how.
${link("/mails", "Name a contact")}`);

function figures(plan: EnablingPlan) {
  const { tasks, emails_again: again, emails_moved: moved, send_at: at, auto_generate: generates } = plan;
  const isArrangement = plan.type === "payment_arrangement";
  const count = (value: number) => big(shownCount(value), "count");
  const sums = plan.amounts.map(
    ({ amount, currency }): Fact => [`Asked for in ${currency}`, big(shownAmount(amount, currency))],
  );
  const mails = `${counted(tasks, "mail")} to the assignee.`;
  return html`${keyFacts([
    (isArrangement || tasks > 0) && ["New tasks", count(tasks)],
    generates && ["New payment links", count(plan.links)],
    ...(generates ? sums : []),
    again > 0 && ["Live links mailed again", count(again)],
    moved > 0 && ["Live links whose scheduled mail is moved", count(moved)],
    generates && ["Mails to customers", count(plan.messages)],
    at !== null && ["The first goes out", timeElement(at, plan.timezone)],
  ])}
${isArrangement && !generates && muted(`Auto Generate is off: no links are made and no customer is mailed. ${mails}`)}`;
}

type Recipient = EnablingPlan["recipients"][number];

function recipients(plan: EnablingPlan, { visit, mailAt, nextAt, open }: Preview) {
  const mail = (one: Recipient) => {
    const place = plan.recipients.indexOf(one);
    const to = ["Show", unseen(` the mail to ${one.customer ?? one.email}`)];
    return open?.place === place ? html`<span class="short">Shown below</span>` : link(`${mailAt(place)}#mail`, to);
  };
  const amounts = ({ amounts: sums }: Recipient) =>
    html`<div>${sums.map(({ amount, currency }) => html`<div>${shownAmount(amount, currency)}</div>`)}</div>`;
  const columns: readonly Column<Recipient>[] = [
    {
      head: "Customer",
      cell: ({ customer: name, customer_id: id, email }) =>
        customerLink({ id, name, number: null }, visit) ?? emailAddress(email),
    },
    { head: "Address", cell: ({ email }) => html`<span class="address">${emailAddress(email)}</span>` },
    { head: "When", cell: ({ send_at: at }) => timeElement(at, plan.timezone) },
    countColumn("Links", "links"),
    { head: "Amount", kind: "number", cell: amounts },
    { head: "Mail", cell: mail },
  ];
  const { more_recipients: more } = plan;
  return html`${table({ caption: "Mails", columns, rows: plan.recipients, visit })}
${more > 0 && paragraph(link(nextAt, `Next mails (${shownCount(more)} more)`))}`;
}

function openMail({ mail, document }: OpenMail, { response }: WorkspaceVisit) {
  return html`<section class="part" id="mail"><div class="head"><h2>The mail to ${mail.customer ?? mail.to}</h2></div>
${facts([
  ["From", mail.from],
  ["To", mail.to],
  ["Subject", mail.subject],
  mail.reply_to !== null && ["Reply to", mail.reply_to],
])}
${muted("The payment links do not exist yet: this preview shows a placeholder for each address.")}
${mailFrame(response, document)}
${disclosure("The same as plain text", false, html`<pre>${mail.text}</pre>`)}</section>`;
}

function confirmForm(plan: EnablingPlan, isOn: boolean, { visit, type, typed }: Preview) {
  const expected = confirmationOf(plan);
  const turnOn = `Turn ${WORKFLOW_NAMES[type]} on`;
  const happening = atOnce(plan);
  const consequences =
    happening === "" ? "Nothing happens at once: no open invoice matches now." : `At once: ${happening}.`;
  const body = [
    html`<h2>${isOn ? "Save these settings" : `${turnOn} with these settings`}</h2>`,
    paragraph(`${consequences} It goes on with what each sync brings, until it is turned off.`),
    expected !== null && tick("confirmed", expected, `I have read what happens at once: ${happening}`, "required"),
    actions(
      html`<button>${isOn ? "Save settings" : turnOn}</button>`,
      " ",
      visit.link("/workflows", "Leave it as it was"),
    ),
    [...typed].map(([key, value]) => hidden(key, value)),
  ];
  return html`<section class="part">${visit.form(`/workflows/${type}/enable`, body, { look: "card" })}</section>`;
}

/** "31 payment links, 12 mails". */
function atOnce({ links, messages, tasks, emails_again: again, emails_moved: moved, refused }: EnablingPlan) {
  const waiting = refused.reduce((sum, one) => sum + one.links, 0);
  return [
    tasks > 0 && counted(tasks, "task"),
    links > 0 && counted(links, "payment link"),
    waiting > 0 && `${counted(waiting, "link")} tried again`,
    again > 0 && `${counted(again, "live link")} mailed again`,
    moved > 0 && `the mails of ${counted(moved, "live link")} moved to another time`,
    messages > 0 && `${counted(messages, "mail")} planned`,
  ]
    .filter((part) => part !== false)
    .join(", ");
}
