import type { z } from "zod";
import { counted } from "../../core/kernel/counted.ts";
import type { previewWorkflowMail } from "../../core/workflows/operations/preview-workflow-mail.ts";
import type { EnablingPlan, PlannedAmount } from "../../core/workflows/plan-schema.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { disclosure, fact, facts, part } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { countColumn } from "../lists/columns.ts";
import { shownAmount, shownCount } from "../lists/figures.ts";
import { type Column, table } from "../lists/table.ts";
import { mailFrame } from "../mails/mail-document.ts";

type Mail = z.output<typeof previewWorkflowMail.output>;

/** A mail of a plan that somebody looks at, and where its document is. */
export interface OpenMail {
  readonly place: number;
  readonly mail: Mail;
  readonly document: string;
}

interface PlanView {
  visit: WorkspaceVisit;
  plan: EnablingPlan;
  /** The address of the page that shows the message at a place. */
  mailAt: (place: number) => string;
  open: OpenMail | null;
}

/** What a workflow would do: how much, to whom, the mails themselves, and what it leaves out. */
export function planView(view: PlanView): Html {
  const { plan, open } = view;
  return html`${part("What would happen", html`${plan.provider_connected ? null : NO_PROVIDER}${figures(plan)}`)}
${plan.recipients.length > 0 && part("Who gets a mail", recipients(view))}
${open !== null && openMail(open, view.visit)}
${leftOut(plan)}`;
}

const NO_PROVIDER = html`<p class="warn">No payment provider is connected: until one is, no link can be made. <a href="/integrations">Connect one</a></p>`;

function figures(plan: EnablingPlan): Html {
  const {
    links,
    amounts,
    messages,
    tasks,
    emails_again: again,
    send_at: at,
    timezone,
    auto_generate: generates,
  } = plan;
  const big = (value: number): Html => html`<span class="big count">${shownCount(value)}</span>`;
  const isArrangement = plan.type === "payment_arrangement";
  return html`<dl class="key">
${(isArrangement || tasks > 0) && fact("New tasks", big(tasks))}
${generates && fact("New payment links", big(links))}
${generates && amounts.map(({ amount, currency }) => fact(`Asked for in ${currency}`, html`<span class="big">${shownAmount(amount, currency)}</span>`))}
${again > 0 && fact("Live links mailed again", big(again))}
${generates && fact("Mails to customers", big(messages))}
${at !== null && fact("The first goes out", timeElement(at, timezone))}
</dl>
${isArrangement && !generates && html`<p class="quiet">Auto Generate is off: no links are made and no customer is mailed. ${counted(tasks, "mail")} to the assignee.</p>`}`;
}

type Recipient = EnablingPlan["recipients"][number];

const amountLines = (sums: readonly PlannedAmount[]): Html[] =>
  sums.map(({ amount, currency }) => html`<div>${shownAmount(amount, currency)}</div>`);

function recipients({ visit, plan, mailAt, open }: PlanView): Html {
  const columns: readonly Column<Recipient>[] = [
    { head: "Customer", cell: ({ customer, email }) => customer ?? emailAddress(email) },
    { head: "Address", cell: ({ email }) => html`<span class="address">${emailAddress(email)}</span>` },
    { head: "When", cell: ({ send_at: at }) => timeElement(at, plan.timezone) },
    countColumn("Links", "links"),
    {
      head: "Amount",
      kind: "number",
      cell: ({ amounts }) => html`<div>${amountLines(amounts)}</div>`,
    },
    {
      head: "Mail",
      cell: (one) => {
        const place = plan.recipients.indexOf(one);
        return open?.place === place
          ? html`<span class="short">Shown below</span>`
          : html`<a href="${mailAt(place)}#mail">Show<span class="unseen"> the mail to ${one.customer ?? one.email}</span></a>`;
      },
    },
  ];
  return html`${table({ caption: "Mails", columns, rows: plan.recipients, visit })}
${plan.more_recipients > 0 && html`<p class="quiet">And ${counted(plan.more_recipients, "mail")} more, with fewer links each.</p>`}`;
}

function openMail({ mail, document }: OpenMail, { response }: WorkspaceVisit): Html {
  return html`<section class="part" id="mail"><div class="head"><h2>The mail to ${mail.customer ?? mail.to}</h2></div>
${facts([
  ["From", mail.from],
  ["To", mail.to],
  ["Subject", mail.subject],
  mail.reply_to !== null && ["Answers go to", mail.reply_to],
])}
<p class="quiet">The payment links do not exist yet: this preview shows a placeholder for each address.</p>
${mailFrame(response, document)}
${disclosure("The same as plain text", false, html`<pre>${mail.text}</pre>`)}</section>`;
}

function leftOut(plan: EnablingPlan): Html | null {
  const { held_by_task: held, withdrawn_by_person: withdrawn, erp_disconnected: gone, later, refused } = plan;
  const invoices = (number: number, why: string): string[] =>
    number === 0 ? [] : [`${counted(number, "invoice")}: ${why}`];
  const lines = [
    ...refused.map(
      ({ reason, links }) =>
        `${counted(links, "link")} cannot be made now and will be tried again for a day: ${reason}`,
    ),
    ...invoices(held, "a task waits for a person."),
    ...invoices(withdrawn, "a person withdrew the link."),
    ...invoices(gone, "the ERP is disconnected."),
    ...plan.not_chargeable.flatMap(({ currency, invoices: number }) =>
      invoices(
        number,
        currency === "UNKNOWN" ? "the currency is not known." : `no connected provider charges ${currency}.`,
      ),
    ),
    ...(later === 0
      ? []
      : [
          `${counted(later, "invoice")}: due later. ${later === 1 ? "Its turn comes" : "Their turn comes"} by itself, as many days before the due date as set above.`,
        ]),
  ];
  if (lines.length === 0) return null;
  return part("What is left out", html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`);
}
