import type { z } from "zod";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { readableDate, readableMinor } from "../../core/mail/readable.ts";
import { deactivatePaymentLink } from "../../core/payment-links/operations/deactivate-payment-link.ts";
import { cancelPaymentLinkEmail, resendPaymentLinkEmail } from "../../core/payment-links/operations/emails.ts";
import { historyPart } from "../audit/history-part.ts";
import {
  actions,
  buttonLink,
  copyable,
  copyButtons,
  dateTime,
  html,
  inWords,
  keyFacts,
  link,
  muted,
  part,
} from "../kit/markup.ts";
import { admins, doing, type FormActs, members, type WorkspaceVisit } from "../kit/page.ts";
import { customerOf, invoiceLink, whichOf } from "../receivables/invoice-list.ts";
import { aboutInvoice, linkChip } from "../receivables/terms.ts";
import { isActive, isScheduled, type LinkOfPage, linkIn, mailView, moveMail, readLink, showMail } from "./link-mail.ts";

/** A page that asks before an act, where the link allows it. */
const asking =
  (isOffered: (link: LinkOfPage) => boolean, view: typeof withdrawView) => async (visit: WorkspaceVisit) => {
    const found = await readLink(visit);
    return isOffered(found) ? view(visit, found) : null;
  };

type OfLink = typeof deactivatePaymentLink | typeof cancelPaymentLinkEmail | typeof resendPaymentLinkEmail;

const acting = (done: string, operation: OfLink) =>
  doing(done, (visit: WorkspaceVisit) => visit.call(operation, { payment_link_id: linkIn(visit) }));

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
  "/reschedule": doing("rescheduled", moveMail),
};

/** `/payment-links/{id}`: one link and its mail; withdrawing it, and moving, cancelling or repeating its mail. */
export const LINK_PAGE = {
  routes: [
    ...members.page("/payment-links/:linkId", showLink, ACTS, admins),
    members.get("/payment-links/:linkId/mail", showMail),
  ],
};

const DONE = {
  made: "The payment link is made. Nothing is sent to the customer: copy its address to hand it on.",
  withdrawn: "The payment link is withdrawn: it cannot be paid any more.",
  rescheduled: "The mail goes out at the new time.",
  resent: "The mail is scheduled again.",
  cancelled: "The mail is cancelled. The link can still be paid.",
};

/** What a link asks for, as its heading says it. */
const askedBy = ({ amount_minor: minor, currency }: LinkOfPage) => readableMinor(BigInt(minor), currency);

async function showLink(visit: WorkspaceVisit) {
  const found = await readLink(visit);
  const { installments, customer } = await visit.call(getInvoice, { invoice_id: found.invoice_id });
  const mail = await mailView(visit, found, customer.email);
  const { id, url, status } = found;
  const acts =
    visit.isAdmin &&
    isActive(found) &&
    actions(buttonLink(visit.address(`/payment-links/${id}/withdraw`), "Withdraw", "danger"));
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
    part("Mail to the customer", html`<div class="card">${mail}</div>`),
    await historyPart(visit, { objectId: id }),
  );
}

function factsOf(
  visit: WorkspaceVisit,
  of: LinkOfPage,
  installments: z.output<typeof getInvoice.output>["installments"],
) {
  // The ERP may no longer have it.
  const installment = installments.find(({ id }) => id === of.installment_id);
  const { sequence_number: number = null, due_date: due = null } = installment ?? {};
  const payment = visit.link("/payments", "See the payment", { payment_link_id: of.id });
  return keyFacts([
    ["Invoice", invoiceLink(of.invoice_id, of.invoice_number, visit)],
    ["Customer", customerOf(of, visit)],
    ["Installment", number && whichOf(number, installments)],
    ["Due", due && readableDate(due)],
    ["Made", visit.time(of.created_at)],
    ["By", of.created_by.name ?? inWords(of.created_by.kind)],
    of.paid_at !== null && ["Paid", html`${visit.time(of.paid_at)}<br>${payment}`],
    of.deactivated_at !== null && ["Withdrawn", visit.time(of.deactivated_at)],
  ]);
}

/** Asks to confirm that a link is withdrawn, with what that means for an open checkout, and for its mail. */
function withdrawView(visit: WorkspaceVisit, link: LinkOfPage) {
  const { email } = link;
  const { timezone } = visit.workspace;
  const words = aboutInvoice(link).join(", ");
  return {
    question: `Withdraw the payment link for ${askedBy(link)}?`,
    consequences: [
      words !== "" && `It is for ${words}.`,
      "It cannot be paid any more, and cannot be switched on again.",
      "A checkout that the customer has open ends. A payment that arrives all the same is recorded.",
      email?.status === "scheduled" &&
        `Its mail to ${email.to}, planned for ${dateTime(email.send_at, timezone)} (${timezone}), is not sent.`,
      email?.status === "sent" &&
        `Its mail to ${email.to} was sent: opening its link then says that it is not valid any more.`,
      "Another link can be made for its amount. Auto Generate makes none until the amount changes.",
    ],
    button: "Withdraw the link",
    stay: "Keep the link",
  };
}

/** Asks to confirm that a scheduled mail is not sent. */
function cancelMailView({ workspace: { timezone } }: WorkspaceVisit, link: LinkOfPage) {
  const { email } = link;
  return {
    question: "Cancel the mail with this payment link?",
    consequences: [
      email !== null && `It will not be sent to ${email.to} on ${dateTime(email.send_at, timezone)} (${timezone}).`,
      `The link for ${askedBy(link)} can still be paid at its address.`,
      "The mail cannot be scheduled again.",
    ],
    button: "Cancel the mail",
    stay: "Keep the mail",
  };
}
