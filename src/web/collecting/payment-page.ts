import { attentionTo } from "../../core/attention/list-attention.ts";
import { paymentWithAdvice } from "../../core/attention/payment-with-advice.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { pushPayment } from "../../core/payments/operations/push-payment.ts";
import { historyPart } from "../audit/history-part.ts";
import { admins, members } from "../kit/doors.ts";
import { actOnce } from "../kit/once.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { paymentView, SETTLE } from "./payment-view.ts";

const paymentIn = (visit: WorkspaceVisit): string => visit.id("paymentId", "payment");

/** `/payments/{id}`: one payment, why its receipt is not in the ERP, and what to do about it. */
export const PAYMENT_PAGE = {
  routes: members.page(
    "/payments/:paymentId",
    showPayment,
    { "/push": { send: push }, "/settle": { send: settle } },
    admins,
  ),
};

async function push(visit: WorkspaceVisit): Promise<string> {
  const how = { anyway: visit.isTicked("anyway"), settledByMistake: visit.isTicked("mistake") };
  await actOnce(visit, pushPayment, { paymentId: paymentIn(visit), ...how });
  return "pushed";
}

async function settle(visit: WorkspaceVisit): Promise<string> {
  await SETTLE.send(visit, { paymentId: paymentIn(visit) }, { once: true });
  return visit.isTicked("unchecked") ? "settled-unchecked" : "settled";
}

async function showPayment(visit: WorkspaceVisit): Promise<void> {
  const paymentId = paymentIn(visit);
  const about = await visit.call(paymentWithAdvice, { paymentId });
  const items = await visit.call(attentionTo, { paymentId });
  const history = await historyPart(visit, { objectId: paymentId });
  const { amount, currency } = about.payment;
  const title = `Payment of ${readableMoney(money(amount), currency)}`;
  visit.show({ title, body: paymentView({ visit, title, about, items, history }) });
}
