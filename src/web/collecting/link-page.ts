import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { isPlainDate } from "../../core/kernel/calendar.ts";
import { timeOn } from "../../core/kernel/local-time.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { cancelPaymentLinkEmail } from "../../core/payment-links/operations/cancel-payment-link-email.ts";
import { deactivatePaymentLink } from "../../core/payment-links/operations/deactivate-payment-link.ts";
import { getPaymentLink } from "../../core/payment-links/operations/get-payment-link.ts";
import { reschedulePaymentLinkEmail } from "../../core/payment-links/operations/reschedule-payment-link-email.ts";
import { resendPaymentLinkEmail } from "../../core/payment-links/operations/resend-payment-link-email.ts";
import { type Refusal, refusalOf } from "../kit/acts.ts";
import { idIn } from "../kit/admin-page.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { cancelMailView, linkView, withdrawView } from "./link-view.ts";

const PATH = "/payment-links/:linkId";

const linkIn = ({ visit }: WorkspaceVisit): string => idIn(visit.request.params.linkId, "payment link");

/** `/payment-links/{id}`: one link, its address and its mail; withdrawing it, and moving, cancelling or repeating its mail. */
export function addLinkPages(routes: Routes, admins: Routes): void {
  routes.get(PATH, (visit) => showLink(visit, null));

  admins.get(`${PATH}/withdraw`, async (visit) => {
    const link = await visit.read(getPaymentLink, { payment_link_id: linkIn(visit) });
    if (link.status !== "active") return visit.visit.redirect(visit.address(`/payment-links/${link.id}`));
    const body = withdrawView(visit, link);
    visit.show({ title: "Withdraw a payment link", within: "Invoices", narrow: true, body });
  });
  admins.post(`${PATH}/withdraw`, (visit) => orShown(visit, "withdrawn", () => act(visit, deactivatePaymentLink)));

  admins.get(`${PATH}/cancel-mail`, async (visit) => {
    const link = await visit.read(getPaymentLink, { payment_link_id: linkIn(visit) });
    if (link.email?.status !== "scheduled" || link.status !== "active")
      return visit.visit.redirect(visit.address(`/payment-links/${link.id}`));
    visit.show({ title: "Cancel a mail", within: "Invoices", narrow: true, body: cancelMailView(visit, link) });
  });
  admins.post(`${PATH}/cancel-mail`, (visit) => orShown(visit, "cancelled", () => act(visit, cancelPaymentLinkEmail)));

  admins.post(`${PATH}/resend`, (visit) => orShown(visit, "resent", () => act(visit, resendPaymentLinkEmail)));

  routes.get(`${PATH}/reschedule`, async (visit) =>
    visit.visit.redirect(visit.address(`/payment-links/${linkIn(visit)}`)),
  );
  admins.post(`${PATH}/reschedule`, (visit) =>
    orShown(visit, "rescheduled", () =>
      visit.visit.act(visit.workspace, reschedulePaymentLinkEmail, {
        payment_link_id: linkIn(visit),
        send_at: instantIn(visit),
      }),
    ),
  );
}

function act(
  visit: WorkspaceVisit,
  operation: typeof deactivatePaymentLink | typeof cancelPaymentLinkEmail | typeof resendPaymentLinkEmail,
) {
  return visit.visit.act(visit.workspace, operation, { payment_link_id: linkIn(visit) });
}

/** The instant that was typed as a day and a time of the workspace's clocks. Throws `validation_failed`. */
function instantIn({ visit, workspace }: WorkspaceVisit): string {
  const [date, time] = [visit.field("date"), visit.field("time")];
  const faults = [
    ...(isPlainDate(date) ? [] : [{ field: "date", message: "must be a day, such as 2026-11-30" }]),
    ...(/^([01]\d|2[0-3]):[0-5]\d$/.test(time)
      ? []
      : [{ field: "time", message: "must be a time of day, such as 09:30" }]),
  ];
  if (faults.length > 0) throw validationFailed(faults);
  return timeOn(date, time, workspace.timezone);
}

async function orShown(visit: WorkspaceVisit, done: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    visit.visit.redirect(visit.address(`/payment-links/${linkIn(visit)}`, { done }));
  } catch (error) {
    await showLink(visit, refusalOf(error));
  }
}

async function showLink(visit: WorkspaceVisit, refusal: Refusal | null): Promise<void> {
  const link = await visit.read(getPaymentLink, { payment_link_id: linkIn(visit) });
  const invoice = await visit.read(getInvoice, { invoice_id: link.invoice_id });
  const installment = invoice.installments.find(({ id }) => id === link.installment_id) ?? null;
  const body = linkView({ visit, link, installment, of: invoice.installments.length, refusal });
  visit.show({ title: "Payment link", within: "Invoices", body }, refusal?.status);
}
