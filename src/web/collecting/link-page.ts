import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { isPlainDate } from "../../core/kernel/calendar.ts";
import { timeOn } from "../../core/kernel/local-time.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { cancelPaymentLinkEmail } from "../../core/payment-links/operations/cancel-payment-link-email.ts";
import { deactivatePaymentLink } from "../../core/payment-links/operations/deactivate-payment-link.ts";
import { getPaymentLink } from "../../core/payment-links/operations/get-payment-link.ts";
import { resendPaymentLinkEmail } from "../../core/payment-links/operations/resend-payment-link-email.ts";
import { admins, members } from "../kit/doors.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { cancelMailView, linkView, RESCHEDULE, withdrawView } from "./link-view.ts";

const linkIn = (visit: WorkspaceVisit): string => visit.id("linkId", "payment link");

const readLink = (visit: WorkspaceVisit) => visit.call(getPaymentLink, { payment_link_id: linkIn(visit) });

type Link = Awaited<ReturnType<typeof readLink>>;

/** A page that asks before an act, where the link allows it. */
const asking =
  (isOffered: (link: Link) => boolean, view: typeof withdrawView) =>
  async (visit: WorkspaceVisit): Promise<ReturnType<typeof view> | null> => {
    const link = await readLink(visit);
    return isOffered(link) ? view(visit, link) : null;
  };

const acting =
  (
    done: string,
    operation: typeof deactivatePaymentLink | typeof cancelPaymentLinkEmail | typeof resendPaymentLinkEmail,
  ) =>
  async (visit: WorkspaceVisit): Promise<string> => {
    await visit.call(operation, { payment_link_id: linkIn(visit) });
    return done;
  };

const isActive = ({ status }: Link): boolean => status === "active";
const isScheduled = (link: Link): boolean => isActive(link) && link.email?.status === "scheduled";

const ACTS = {
  "/withdraw": {
    title: "Withdraw a payment link",
    ask: asking(isActive, withdrawView),
    send: acting("withdrawn", deactivatePaymentLink),
  },
  "/cancel-mail": {
    title: "Cancel a mail",
    ask: asking(isScheduled, cancelMailView),
    send: acting("cancelled", cancelPaymentLinkEmail),
  },
  "/resend": { send: acting("resent", resendPaymentLinkEmail) },
  "/reschedule": {
    async send(visit: WorkspaceVisit) {
      await RESCHEDULE.send(visit, { payment_link_id: linkIn(visit), send_at: instantIn(visit) });
      return "rescheduled";
    },
  },
};

/** `/payment-links/{id}`: one link, its address and its mail; withdrawing it, and moving, cancelling or repeating its mail. */
export const LINK_PAGE = { routes: members.page("/payment-links/:linkId", showLink, ACTS, admins) };

/** The instant that was typed as a day and a time of the workspace's clocks. Throws `validation_failed`. */
function instantIn(visit: WorkspaceVisit): string {
  const [date, time] = [visit.field("date"), visit.field("time")];
  const faults = [
    !isPlainDate(date) && { field: "send_at", message: "must be a day, such as 2026-11-30" },
    !/^([01]\d|2[0-3]):[0-5]\d$/.test(time) && { field: "time", message: "must be a time of day, such as 09:30" },
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw validationFailed(faults);
  return timeOn(date, time, visit.workspace.timezone);
}

async function showLink(visit: WorkspaceVisit): Promise<void> {
  const link = await readLink(visit);
  const invoice = await visit.call(getInvoice, { invoice_id: link.invoice_id });
  const installment = invoice.installments.find(({ id }) => id === link.installment_id) ?? null;
  const body = linkView({ visit, link, installment, of: invoice.installments.length });
  visit.show({ title: "Payment link", body });
}
