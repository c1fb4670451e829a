import type { z } from "zod";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { isPlainDate, localParts } from "../../core/kernel/calendar.ts";
import { timeOn } from "../../core/kernel/local-time.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { readableDate, readableMinor } from "../../core/mail/readable.ts";
import { deactivatePaymentLink } from "../../core/payment-links/operations/deactivate-payment-link.ts";
import {
  cancelPaymentLinkEmail,
  reschedulePaymentLinkEmail,
  resendPaymentLinkEmail,
} from "../../core/payment-links/operations/emails.ts";
import { getPaymentLink } from "../../core/payment-links/operations/get-payment-link.ts";
import { showLinkMail } from "../../core/payment-links/operations/show-link-mail.ts";
import { historyPart } from "../audit/history-part.ts";
import {
  actions,
  buttonLink,
  copyable,
  copyButtons,
  dateTime,
  emailAddress,
  html,
  inWords,
  keyFacts,
  link,
  muted,
  paragraph,
  part,
  submit,
} from "../kit/markup.ts";
import { admins, doing, Form, type FormActs, members, type WorkspaceVisit } from "../kit/page.ts";
import { customerOf, invoiceLink } from "../receivables/invoice-list.ts";
import { aboutInvoice, linkChip } from "../receivables/terms.ts";

const linkIn = (visit: WorkspaceVisit) => visit.id("linkId", "payment link");

const readLink = (visit: WorkspaceVisit) => visit.call(getPaymentLink, { payment_link_id: linkIn(visit) });

type Link = Awaited<ReturnType<typeof readLink>>;

/** A page that asks before an act, where the link allows it. */
const asking = (isOffered: (link: Link) => boolean, view: typeof withdrawView) => async (visit: WorkspaceVisit) => {
  const found = await readLink(visit);
  return isOffered(found) ? view(visit, found) : null;
};

type OfLink = typeof deactivatePaymentLink | typeof cancelPaymentLinkEmail | typeof resendPaymentLinkEmail;

const acting = (done: string, operation: OfLink) =>
  doing(done, (visit: WorkspaceVisit) => visit.call(operation, { payment_link_id: linkIn(visit) }));

const isActive = ({ status }: Link) => status === "active";
const isScheduled = (of: Link) => isActive(of) && of.email?.status === "scheduled";

const ACTS: FormActs<WorkspaceVisit> = {
  "/withdraw": {
    title: "Withdraw a payment link",
    ask: asking(isActive, withdrawView),
    ...acting("withdrawn", deactivatePaymentLink),
  },
  "/cancel-mail": {
    title: "Cancel a mail",
    ask: asking(isScheduled, cancelMailView),
    ...acting("cancelled", cancelPaymentLinkEmail),
  },
  "/resend": acting("resent", resendPaymentLinkEmail),
  "/reschedule": doing("rescheduled", (visit) =>
    RESCHEDULE.send(visit, { payment_link_id: linkIn(visit), send_at: instantIn(visit) }),
  ),
};

/** `/payment-links/{id}`: one link and its mail; withdrawing it, and moving, cancelling or repeating its mail. */
export const LINK_PAGE = {
  routes: [
    ...members.page("/payment-links/:linkId", showLink, ACTS, admins),
    members.get("/payment-links/:linkId/mail", showMail),
  ],
};

async function showMail(visit: WorkspaceVisit) {
  const { subject, text } = await visit.call(showLinkMail, { payment_link_id: linkIn(visit) });
  const link = await readLink(visit);
  const kept = isScheduled(link)
    ? "This is how it reads now."
    : "It is written again as of its day: mails are not kept.";
  visit.showPage({ title: subject, about: muted([fateOf(visit, link), " ", kept]) }, html`<pre>${text}</pre>`);
}

/** The instant that was typed as a day and a time of the workspace's clocks. Throws `validation_failed`. */
function instantIn(visit: WorkspaceVisit) {
  const [date, time] = [visit.field("date"), visit.field("time")];
  const faults = [
    !isPlainDate(date) && { field: "send_at", message: "must be a day, such as 2026-11-30" },
    !/^([01]\d|2[0-3]):[0-5]\d$/.test(time) && { field: "time", message: "must be a time of day, such as 09:30" },
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw validationFailed(faults);
  return timeOn(date, time, visit.workspace.timezone);
}

const DONE = {
  made: "The payment link is made. Nothing is sent to the customer: copy its address to hand it on.",
  withdrawn: "The payment link is withdrawn: it cannot be paid any more, and its amount is available again.",
  rescheduled: "The mail goes out at the new time.",
  resent: "The mail is scheduled again.",
  cancelled: "The mail is cancelled. The link can still be paid.",
};

/** What a link asks for, as its heading says it. */
const askedBy = ({ amount_minor: minor, currency }: Link) => readableMinor(BigInt(minor), currency);

/** A mail's time is typed as a day and a time of the workspace's clocks. */
const RESCHEDULE = new Form(
  reschedulePaymentLinkEmail,
  {
    send_at: { name: "date", label: "Send on", type: "date", isOwn: true },
    time: { label: "At", type: "time", isOwn: true },
  },
  "The mail was not moved.",
);

async function showLink(visit: WorkspaceVisit) {
  const found = await readLink(visit);
  const { installments } = await visit.call(getInvoice, { invoice_id: found.invoice_id });
  const { id, url, status } = found;
  const acts =
    visit.isAdmin &&
    isActive(found) &&
    actions(buttonLink(visit.address(`/payment-links/${id}/withdraw`), "Withdraw", "plain danger"));
  const open = link(url, "Open the pay page", html` rel="noreferrer"`);
  const pay = html`<div class="card"><h2>Address of the pay page</h2>
<div class="copied">${copyable("the address of the pay page", url, "block")}</div>${copyButtons(visit.response)}
${muted(["Anybody who has it can pay. ", open])}</div>`;
  visit.showPage(
    {
      ...{ title: `Payment link for ${askedBy(found)}`, done: DONE, acts },
      heading: ["Payment link for ", askedBy(found), " ", linkChip(status)],
    },
    isActive(found) && pay,
    factsOf(visit, found, installments),
    part("Mail to the customer", html`<div class="card">${mailView(visit, found)}</div>`),
    await historyPart(visit, { objectId: id }),
  );
}

function factsOf(visit: WorkspaceVisit, of: Link, installments: z.output<typeof getInvoice.output>["installments"]) {
  // The ERP may no longer have it.
  const installment = installments.find(({ id }) => id === of.installment_id);
  const { sequence_number: number = null, due_date: due = null } = installment ?? {};
  const payment = visit.link("/payments", "See the payment", { payment_link_id: of.id });
  return keyFacts([
    ["Invoice", invoiceLink(of.invoice_id, of.invoice_number, visit)],
    ["Customer", customerOf(of, visit)],
    ["Installment", number && `${number} of ${installments.length}`],
    ["Due", due && readableDate(due)],
    ["Made", visit.time(of.created_at)],
    ["By", of.created_by.name ?? inWords(of.created_by.kind)],
    of.paid_at !== null && ["Paid", html`${visit.time(of.paid_at)}<br>${payment}`],
    of.deactivated_at !== null && ["Withdrawn", visit.time(of.deactivated_at)],
  ]);
}

function mailView(visit: WorkspaceVisit, of: Link) {
  const { email } = of;
  const path = `/payment-links/${of.id}`;
  if (email === null)
    return paragraph(
      isActive(of)
        ? "No mail goes out with this link: only a workflow schedules one. Hand the address on yourself."
        : "No mail went out with this link.",
    );
  const acts =
    email.status === "failed"
      ? [muted(AGAIN), visit.form(`${path}/resend`, submit("Send the mail again"))]
      : isScheduled(of) && rescheduleForm(visit, path, email.send_at);
  return html`${paragraph(fateOf(visit, of), " ", visit.link(`${path}/mail`, "See the mail"))}
${visit.isAdmin && isActive(of) && acts}`;
}

/** Whom a link's mail goes to, and when; or how that ended. */
function fateOf(visit: WorkspaceVisit, of: Link) {
  const { email } = of;
  if (email === null) return null;
  const to = html`<strong>${emailAddress(email.to)}</strong>`;
  const { status, send_at: planned, sent_at: sent, failed_at: failed } = email;
  if (status === "sent") return ["Sent to ", to, " on ", visit.time(sent), "."];
  if (status === "failed") return ["It could not be sent to ", to, " on ", visit.time(failed), ". ", email.error];
  if (!isScheduled(of)) return ["The mail to ", to, " was cancelled, and is not sent."];
  return ["It goes to ", to, " on ", visit.time(planned), "."];
}

function rescheduleForm(visit: WorkspaceVisit, path: string, at: string) {
  const { timezone } = visit.workspace;
  const [date, time] = localParts(new Date(at), timezone);
  return RESCHEDULE.view(visit, {
    ...{ path: `${path}/reschedule`, button: "Move the mail", look: "row", grid: "", label: "Move the mail" },
    now: { send_at: date, time },
    words: { time: { label: `At (${timezone})` } },
    acts: link(visit.address(`${path}/cancel-mail`), "Cancel the mail", html` class="danger"`),
  });
}

const AGAIN =
  "A new billing email schedules it again by itself. Sent by hand, it goes to the customer's billing email at the next \
sending time.";

/** Asks to confirm that a link is withdrawn, with what that means for an open checkout, and for its mail. */
function withdrawView(visit: WorkspaceVisit, link: Link) {
  const { email } = link;
  const { timezone } = visit.workspace;
  const words = aboutInvoice(link).join(", ");
  return {
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
    button: "Withdraw the link",
    stay: "Keep the link",
  };
}

/** Asks to confirm that a scheduled mail is not sent. */
function cancelMailView(visit: WorkspaceVisit, link: Link) {
  const { email } = link;
  return {
    question: "Cancel the mail with this payment link?",
    consequences: [
      email !== null &&
        `It was to go to ${email.to} on ${dateTime(email.send_at, visit.workspace.timezone)}, and is not sent.`,
      `The link for ${askedBy(link)} can still be paid at its address.`,
      "The mail cannot be scheduled again.",
    ],
    button: "Cancel the mail",
    stay: "Keep the mail",
  };
}
