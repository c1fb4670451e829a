import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { isPlainDate } from "../../core/kernel/calendar.ts";
import { timeOn } from "../../core/kernel/local-time.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { cancelPaymentLinkEmail } from "../../core/payment-links/operations/cancel-payment-link-email.ts";
import { deactivatePaymentLink } from "../../core/payment-links/operations/deactivate-payment-link.ts";
import { getPaymentLink } from "../../core/payment-links/operations/get-payment-link.ts";
import { resendPaymentLinkEmail } from "../../core/payment-links/operations/resend-payment-link-email.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { cancelMailView, linkView, RESCHEDULE, withdrawView } from "./link-view.ts";

const PATH = "/payment-links/:linkId";

const linkIn = ({ visit }: WorkspaceVisit): string => visit.id("linkId", "payment link");

const pageOf = (visit: WorkspaceVisit, done?: string): string =>
  visit.address(`/payment-links/${linkIn(visit)}`, { done });

const readLink = (visit: WorkspaceVisit) => visit.read(getPaymentLink, { payment_link_id: linkIn(visit) });

type Link = Awaited<ReturnType<typeof readLink>>;

/** `/payment-links/{id}`: one link, its address and its mail; withdrawing it, and moving, cancelling or repeating its mail. */
export function addLinkPages(routes: Routes, admins: Routes): void {
  const confirming = (
    step: string,
    title: string,
    { isOffered, view }: { isOffered(link: Link): boolean; view: typeof withdrawView },
  ): void =>
    admins.get(`${PATH}/${step}`, async (visit) => {
      const link = await readLink(visit);
      if (!isOffered(link)) return pageOf(visit);
      return visit.show({ title, within: "Invoices", narrow: true, body: view(visit, link) });
    });
  const acting = (
    step: string,
    done: string,
    operation: typeof deactivatePaymentLink | typeof cancelPaymentLinkEmail | typeof resendPaymentLinkEmail,
  ): void => {
    const act = async (visit: WorkspaceVisit): Promise<string> => {
      await visit.act(operation, { payment_link_id: linkIn(visit) });
      return pageOf(visit, done);
    };
    admins.post(`${PATH}/${step}`, act, showLink);
  };

  routes.get(PATH, showLink);
  const isActive = ({ status }: Link): boolean => status === "active";
  confirming("withdraw", "Withdraw a payment link", { isOffered: isActive, view: withdrawView });
  acting("withdraw", "withdrawn", deactivatePaymentLink);
  const isScheduled = (link: Link): boolean => isActive(link) && link.email?.status === "scheduled";
  confirming("cancel-mail", "Cancel a mail", { isOffered: isScheduled, view: cancelMailView });
  acting("cancel-mail", "cancelled", cancelPaymentLinkEmail);
  acting("resend", "resent", resendPaymentLinkEmail);

  routes.get(`${PATH}/reschedule`, async (visit) => pageOf(visit));
  const move = async (visit: WorkspaceVisit): Promise<string> => {
    await RESCHEDULE.send(visit, { payment_link_id: linkIn(visit), send_at: instantIn(visit) });
    return pageOf(visit, "rescheduled");
  };
  admins.post(`${PATH}/reschedule`, move, showLink);
}

/** The instant that was typed as a day and a time of the workspace's clocks. Throws `validation_failed`. */
function instantIn({ visit, workspace }: WorkspaceVisit): string {
  const [date, time] = [visit.field("date"), visit.field("time")];
  const faults = [
    !isPlainDate(date) && { field: "send_at", message: "must be a day, such as 2026-11-30" },
    !/^([01]\d|2[0-3]):[0-5]\d$/.test(time) && { field: "time", message: "must be a time of day, such as 09:30" },
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw validationFailed(faults);
  return timeOn(date, time, workspace.timezone);
}

async function showLink(visit: WorkspaceVisit): Promise<void> {
  const link = await readLink(visit);
  const invoice = await visit.read(getInvoice, { invoice_id: link.invoice_id });
  const installment = invoice.installments.find(({ id }) => id === link.installment_id) ?? null;
  const body = linkView({ visit, link, installment, of: invoice.installments.length });
  visit.show({ title: "Payment link", within: "Invoices", body });
}
