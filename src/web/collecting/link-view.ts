import type { z } from "zod";
import type { Installment } from "../../core/invoices/schema.ts";
import { localParts } from "../../core/kernel/calendar.ts";
import { readableDate, readableMinor } from "../../core/mail/readable.ts";
import { reschedulePaymentLinkEmail } from "../../core/payment-links/operations/reschedule-payment-link-email.ts";
import type { PaymentLink } from "../../core/payment-links/schema.ts";
import { copyable, copyButtons } from "../kit/copy.ts";
import { confirmation } from "../kit/fields.ts";
import { Form } from "../kit/form.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { fact, part } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { dateTime, inWords, timeElement } from "../kit/words.ts";
import { NOTHING } from "../lists/figures.ts";
import { invoiceLink } from "../receivables/invoice-list.ts";
import { linkChip } from "../receivables/terms.ts";

type Link = z.output<typeof PaymentLink>;

interface LinkView {
  readonly visit: WorkspaceVisit;
  readonly link: Link;
  /** Null for one that the ERP no longer has. */
  readonly installment: z.output<typeof Installment> | null;
  /** Installments of the invoice. */
  readonly of: number;
}

const DONE = {
  made: "The payment link is made. Nothing is sent to the customer: copy its address to hand it on.",
  withdrawn: "The payment link is withdrawn: it cannot be paid any more, and its amount is available again.",
  rescheduled: "The mail goes out at the new time.",
  resent: "The mail is scheduled again.",
  cancelled: "The mail is cancelled. The link can still be paid.",
};

/** What a link asks for, as its heading says it. */
export const askedBy = ({ amount_minor: minor, currency }: Link): string => readableMinor(BigInt(minor), currency);

/** A mail's time is typed as a day and a time of the workspace's clocks. */
export const RESCHEDULE = new Form(
  reschedulePaymentLinkEmail,
  {
    send_at: { name: "date", label: "Send on", type: "date", isOwn: true },
    time: { label: "At", type: "time", isOwn: true },
  },
  "The mail was not moved.",
);

/** One link: its address to copy, facts, its mail and how it ends. */
export function linkView(view: LinkView): Html {
  const { visit, link } = view;
  const { address, isAdmin } = visit;
  const isActive = link.status === "active";
  const withdraw = html`<div class="actions"><a class="button plain danger"
 href="${address(`/payment-links/${link.id}/withdraw`)}">Withdraw</a></div>`;
  const mail = html`<div class="card">${mailView(view)}</div>`;
  return html`<p class="crumbs"><a href="${address("/payment-links")}">Payment links</a></p>
<div class="title"><h1>Payment link for ${askedBy(link)} ${linkChip(link.status)}</h1>
${isAdmin && isActive && withdraw}</div>
${visit.note(DONE)}
${
  isActive &&
  html`<div class="card"><h2>Address of the pay page</h2>
<div class="copied">${copyable("the address of the pay page", link.url, "block")}</div>${copyButtons(visit.response)}
<p class="quiet">Anybody who has it can pay. <a href="${link.url}" rel="noreferrer">Open the pay page</a></p></div>`
}
${facts(view)}
${part("Mail to the customer", mail)}`;
}

function facts({ visit, link, installment, of }: LinkView): Html {
  const { timezone } = visit.workspace;
  const number = installment?.sequence_number ?? null;
  const due = installment?.due_date ?? null;
  const payments = visit.address("/payments", { payment_link_id: link.id });
  return html`<dl class="key">
${fact("Invoice", invoiceLink(link.invoice_id, link.invoice_number, visit))}
${fact("Customer", link.customer_name ?? NOTHING)}
${fact("Installment", number === null ? NOTHING : `${number} of ${of}`)}
${fact("Due", due === null ? NOTHING : readableDate(due))}
${fact("Made", timeElement(link.created_at, timezone))}
${fact("By", link.created_by.name ?? inWords(link.created_by.kind))}
${
  link.paid_at !== null &&
  fact("Paid", html`${timeElement(link.paid_at, timezone)}<br><a href="${payments}">See the payment</a>`)
}
${link.deactivated_at !== null && fact("Withdrawn", timeElement(link.deactivated_at, timezone))}
</dl>`;
}

function mailView(view: LinkView): Html {
  const { visit, link } = view;
  const { email } = link;
  const { timezone } = visit.workspace;
  if (email === null && link.status !== "active") return html`<p>No mail went out with this link.</p>`;
  if (email === null)
    return html`<p>No mail goes out with this link: only a workflow schedules one. Hand the address on yourself.</p>`;
  const to = html`<strong>${emailAddress(email.to)}</strong>`;
  if (email.status === "sent")
    return html`<p>Sent to ${to} on ${timeElement(email.sent_at ?? email.send_at, timezone)}.</p>`;
  if (email.status === "failed") return failedMail(view, to, email.error);
  if (email.status === "cancelled" || link.status !== "active")
    return html`<p>The mail to ${to} was cancelled, and is not sent.</p>`;
  const words = html`<p>It goes to ${to} on ${timeElement(email.send_at, timezone)}.</p>`;
  if (!visit.isAdmin) return words;
  const path = `/payment-links/${link.id}`;
  const [date, time] = localParts(new Date(email.send_at), timezone);
  return html`${words}
${RESCHEDULE.view(visit, {
  path: `${path}/reschedule`,
  button: "Move the mail",
  look: "row",
  grid: "",
  label: "Move the mail",
  now: { send_at: date, time },
  words: { time: { label: `At (${timezone})` } },
  acts: html`<a class="danger" href="${visit.address(`${path}/cancel-mail`)}">Cancel the mail</a>`,
})}`;
}

function failedMail({ visit, link }: LinkView, to: Html, why: string | null): Html {
  const words = html`<p>It could not be sent to ${to}. ${why}</p>`;
  if (link.status !== "active" || !visit.isAdmin) return words;
  const button = html`<div class="actions"><button>Send the mail again</button></div>`;
  return html`${words}
<p class="quiet">A new billing email schedules it again by itself. Sent by hand, it goes to the customer's billing email
at the next sending time.</p>
${visit.form(`/payment-links/${link.id}/resend`, button)}`;
}

/** Asks to confirm that a link is withdrawn, with what that means for an open checkout, and for its mail. */
export function withdrawView(visit: WorkspaceVisit, link: Link): Html {
  const { email } = link;
  const { timezone } = visit.workspace;
  const path = `/payment-links/${link.id}`;
  const about = [link.invoice_number === null ? null : `invoice ${link.invoice_number}`, link.customer_name];
  const words = about.filter((one) => one !== null).join(", ");
  return confirmation(visit, {
    question: `Withdraw the payment link for ${askedBy(link)}?`,
    consequences: [
      words !== "" && `It is for ${words}.`,
      "It cannot be paid any more, and cannot be switched on again.",
      "A checkout that the customer has open is expired. A payment that arrives all the same is recorded.",
      email?.status === "scheduled" &&
        `Its mail to ${email.to}, planned for ${dateTime(email.send_at, timezone)}, is not sent.`,
      email?.status === "sent" &&
        `Its mail to ${email.to} was sent: opening its link then says that it is not valid any more.`,
      "Its amount is available again. Auto Generate makes no link in its place until the amount changes.",
    ],
    path: `${path}/withdraw`,
    button: "Withdraw the link",
    back: { path: visit.address(path), words: "Keep the link" },
  });
}

/** Asks to confirm that a scheduled mail is not sent. */
export function cancelMailView(visit: WorkspaceVisit, link: Link): Html {
  const { email } = link;
  const path = `/payment-links/${link.id}`;
  return confirmation(visit, {
    question: "Cancel the mail with this payment link?",
    consequences: [
      email !== null &&
        `It was to go to ${email.to} on ${dateTime(email.send_at, visit.workspace.timezone)}, and is not sent.`,
      `The link for ${askedBy(link)} can still be paid at its address.`,
      "The mail cannot be scheduled again.",
    ],
    path: `${path}/cancel-mail`,
    button: "Cancel the mail",
    back: { path: visit.address(path), words: "Keep the mail" },
  });
}
