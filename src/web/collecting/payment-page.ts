import { attentionTo } from "../../core/attention/list-attention.ts";
import { type PaymentWithAdvice, paymentWithAdvice } from "../../core/attention/payment-with-advice.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { pushPayment } from "../../core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../core/payments/operations/settle-receipt-by-hand.ts";
import { historyPart } from "../audit/history-part.ts";
import { type Refusal, refusalOf } from "../kit/acts.ts";
import { idIn } from "../kit/admin-page.ts";
import { actOnce } from "../kit/once.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { paymentView } from "./payment-view.ts";

const paymentIn = ({ visit }: WorkspaceVisit): string => idIn(visit.request.params.paymentId, "payment");

/** `/payments/{id}`: one payment, why its receipt is not in the ERP, and what to do about it. */
export function addPaymentPage(routes: Routes, admins: Routes): void {
  const path = "/payments/:paymentId";
  routes.get(path, (visit) => showPayment(visit, null));
  for (const act of ["push", "settle"])
    routes.get(`${path}/${act}`, async (visit) => visit.visit.redirect(visit.address(`/payments/${paymentIn(visit)}`)));

  admins.post(`${path}/push`, async (visit) => {
    const paymentId = paymentIn(visit);
    const [anyway, settledByMistake] = ["anyway", "mistake"].map((name) => visit.visit.field(name) === "on");
    await orShown(visit, async () => {
      await actOnce(visit, pushPayment, { paymentId, anyway: anyway === true, settledByMistake });
      return "pushed";
    });
  });

  admins.post(`${path}/settle`, (visit) => orShown(visit, () => settle(visit)));
}

/** Settles a receipt by the number that was typed, which is looked up in the ERP unless that is not wanted. */
async function settle(visit: WorkspaceVisit): Promise<string> {
  const { visit: form } = visit;
  const paymentId = paymentIn(visit);
  const receiptNumber = form.field("receipt_number");
  const isUnchecked = form.field("unchecked") === "on";
  await actOnce(visit, settleReceiptByHand, { paymentId, receiptNumber, check: !isUnchecked });
  return isUnchecked ? "settled-unchecked" : "settled";
}

/** An act that was begun is carried out, whether or not the browser waits for it. */
async function orShown(visit: WorkspaceVisit, work: () => Promise<string>): Promise<void> {
  try {
    const done = await work();
    visit.visit.redirect(visit.address(`/payments/${paymentIn(visit)}`, { done }));
  } catch (error) {
    await showPayment(visit, refusalOf(error));
  }
}

async function showPayment(visit: WorkspaceVisit, refusal: Refusal | null): Promise<void> {
  const paymentId = paymentIn(visit);
  const about = await visit.read(paymentWithAdvice, { paymentId });
  const items = await visit.read(attentionTo, { paymentId });
  const history = await historyPart(visit, { objectId: paymentId });
  const title = `Payment of ${amountOf(about)}`;
  const body = paymentView({ visit, title, about, items, refusal, history });
  visit.show({ title, within: "Payments", body }, refusal?.status);
}

function amountOf({ payment: { amount, currency } }: PaymentWithAdvice): string {
  return readableMoney(money(amount), currency);
}
