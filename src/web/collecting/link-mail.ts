import { getCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import { isPlainDate, localParts } from "../../core/kernel/calendar.ts";
import { counted } from "../../core/kernel/counted.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { timeOn } from "../../core/kernel/local-time.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { reschedulePaymentLinkEmail } from "../../core/payment-links/operations/emails.ts";
import { getPaymentLink } from "../../core/payment-links/operations/get-payment-link.ts";
import { showLinkMail } from "../../core/payment-links/operations/show-link-mail.ts";
import { emailAddress, hidden, html, link, muted, paragraph, submit, warning } from "../kit/markup.ts";
import { Form, GIVE_A_DATE, type WorkspaceVisit } from "../kit/page.ts";

export const linkIn = (visit: WorkspaceVisit) => visit.id("linkId", "payment link");

export const readLink = (visit: WorkspaceVisit) => visit.call(getPaymentLink, { payment_link_id: linkIn(visit) });

export type LinkOfPage = Awaited<ReturnType<typeof readLink>>;

export const isActive = ({ status }: LinkOfPage) => status === "active";
export const isScheduled = (of: LinkOfPage) => isActive(of) && of.email?.status === "scheduled";

/** What else tells how a mail ends: that its customer is mailed nothing, or what a cancelled one waits for. */
interface Fate {
  readonly stopped: boolean;
  readonly cancelled_until: "workflow_on" | "mailable" | null;
}

/** `/payment-links/{id}/mail`: what the mail says. */
export async function showMail(visit: WorkspaceVisit) {
  const mail = await visit.call(showLinkMail, { payment_link_id: linkIn(visit) });
  const { subject, text, others: together } = mail;
  const link = await readLink(visit);
  const others = together > 0 ? `, without ${counted(together, "other link")} in the same mail` : "";
  const kept = isScheduled(link)
    ? `This is how it reads now${others}.`
    : "It is written again as of its day: mails are not kept.";
  const fate = fateOf(visit, link, { ...mail, stopped: await isStopped(visit, link) });
  visit.showPage({ title: subject, about: muted([fate, " ", kept]) }, html`<pre>${text}</pre>`);
}

/** The instant that was typed as a day and a time of the workspace's clocks. Throws `validation_failed`. */
function instantIn(visit: WorkspaceVisit) {
  const [date, time] = [visit.field("date"), visit.field("time")];
  const faults = [
    !isPlainDate(date) && { field: "send_at", message: GIVE_A_DATE },
    !/^([01]\d|2[0-3]):[0-5]\d$/.test(time) && { field: "time", message: "Give a time, such as 09:30." },
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw validationFailed(faults);
  return timeOn(date, time, visit.workspace.timezone);
}

/** A mail's time is typed as a day and a time of the workspace's clocks. */
const RESCHEDULE = new Form(
  reschedulePaymentLinkEmail,
  {
    send_at: { name: "date", label: "Send on", type: "date", isOwn: true },
    time: { label: "At", type: "time", isOwn: true },
  },
  "The mail was not rescheduled.",
);

/** Moves a link's mail as its form says; throws `conflict` where its time is no longer the one that the form showed. */
export async function moveMail(visit: WorkspaceVisit) {
  const { id, email } = await readLink(visit);
  const sendAt = instantIn(visit);
  if (email?.status === "scheduled" && ![visit.field("was"), sendAt].includes(email.send_at))
    throw new ServiceError("conflict", MOVED);
  return RESCHEDULE.send(visit, { payment_link_id: id, send_at: sendAt });
}

const MOVED = "Somebody rescheduled this mail meanwhile, to the time above. Send yours again to change that.";

/** A link's mail, for admins with what they can do about it; `billingEmail` is the customer's. */
export async function mailView(visit: WorkspaceVisit, of: LinkOfPage, billingEmail: string | null) {
  const { email, customer_id: customerId } = of;
  const path = `/payment-links/${of.id}`;
  if (email === null)
    return paragraph(
      isActive(of)
        ? `No mail goes out with this link: only a workflow schedules one. ${HAND_ON}`
        : "No mail went out with this link.",
    );
  const stopped = await isStopped(visit, of);
  const isSame = billingEmail === email.to;
  const same = ["The billing email is still ", emailAddress(email.to), ", where this mail failed. "];
  const mail = await visit.call(showLinkMail, { payment_link_id: of.id });
  const { others: together } = mail;
  const split = `${counted(together, "other link goes", "other links go")} in the same mail`;
  const acts =
    email.status === "failed"
      ? [isSame && warning(same), muted(AGAIN), visit.form(`${path}/resend`, submit("Send the mail again"))]
      : isScheduled(of) && [
          together > 0 && muted(`${split}: rescheduled, this one goes in a mail of its own.`),
          rescheduleForm(visit, path, email.send_at),
        ];
  return html`${paragraph(fateOf(visit, of, { ...mail, stopped }), " ", visit.link(`${path}/mail`, "See the mail"))}
${stopped && warning([NOT_MAILED, visit.link(`/customers/${customerId}`, "See the customer")])}
${visit.isAdmin && isActive(of) && !stopped && acts}`;
}

/** Whether its mail waits and its customer is mailed nothing. */
async function isStopped(visit: WorkspaceVisit, of: LinkOfPage) {
  const { customer_id: customerId, email } = of;
  if (customerId === null || (email?.status !== "failed" && !isScheduled(of))) return false;
  return (await visit.call(getCustomerMailing, { customerId })).no_mail;
}

/** Whom a link's mail goes to, and when; or how that ended. */
function fateOf(visit: WorkspaceVisit, of: LinkOfPage, { stopped, cancelled_until: until }: Fate) {
  const { email } = of;
  if (email === null) return null;
  const to = html`<strong>${emailAddress(email.to)}</strong>`;
  const { status, send_at: planned, sent_at: sent, failed_at: failed } = email;
  if (status === "sent") return ["Sent to ", to, " on ", visit.time(sent), "."];
  if (status === "failed") return ["It could not be sent to ", to, " on ", visit.time(failed), ". ", email.error];
  const why = of.paid_at === null ? ". " : ": the link was paid before. ";
  if (!isScheduled(of))
    return ["The mail to ", to, " was cancelled", why, isActive(of) && AFTER_CANCELLED[until ?? "nothing"]];
  if (stopped) return ["It was to go to ", to, ", and is cancelled on ", visit.time(planned), "."];
  if (Date.parse(planned) < visit.site.core.clock.now().getTime() - LATE_MS)
    return ["It was to go to ", to, " on ", visit.time(planned), ", and goes out once the mail server takes it."];
  return ["It goes to ", to, " on ", visit.time(planned), "."];
}

/** A mail that is due is sent within seconds. */
const LATE_MS = 10 * 60_000;

const RESCHEDULE_IT = "Reschedule the mail";

function rescheduleForm(visit: WorkspaceVisit, path: string, at: string) {
  const { timezone } = visit.workspace;
  const [date, time] = localParts(new Date(at), timezone);
  return RESCHEDULE.view(visit, {
    ...{ path: `${path}/reschedule`, button: RESCHEDULE_IT, look: "row", grid: "", label: RESCHEDULE_IT },
    now: { send_at: date, time },
    words: { time: { label: `At (${timezone})` } },
    head: hidden("was", at),
    acts: link(visit.address(`${path}/cancel-mail`), "Cancel the mail", html` class="danger"`),
  });
}

const HAND_ON = "Hand the address on yourself.";
const AFTER_CANCELLED = {
  nothing: HAND_ON,
  workflow_on:
    "It is scheduled again once Auto Generate is on, and its ERP connected. Until then, hand the address on.",
  mailable:
    "It is scheduled again once it can be sent while its ERP is connected: while Auto Generate is off, within seven \
days, else when that is on again. Until then, hand the address on.",
} as const;
const NOT_MAILED = "Nothing goes out with this link while its customer is not mailed. ";
const AGAIN =
  "While Auto Generate is on, a new billing email schedules it again by itself. Sent by hand, it goes to the \
customer's billing email at the next sending time.";
