import { attentionTo } from "../../core/attention/list-attention.ts";
import { type PaymentWithAdvice, paymentWithAdvice } from "../../core/attention/payment-with-advice.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { pushPayment } from "../../core/payments/operations/push-payment.ts";
import { historyPart } from "../audit/history-part.ts";
import { actOnce } from "../kit/once.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { paymentView, SETTLE } from "./payment-view.ts";

const paymentIn = ({ visit }: WorkspaceVisit): string => visit.id("paymentId", "payment");

const pageOf = (visit: WorkspaceVisit, done?: string): string =>
  visit.address(`/payments/${paymentIn(visit)}`, { done });

/** `/payments/{id}`: one payment, why its receipt is not in the ERP, and what to do about it. */
export function addPaymentPage(routes: Routes, admins: Routes): void {
  const path = "/payments/:paymentId";
  routes.get(path, showPayment);
  for (const act of ["push", "settle"]) routes.get(`${path}/${act}`, async (visit) => pageOf(visit));

  const push = async (visit: WorkspaceVisit): Promise<string> => {
    const isTicked = (name: string): boolean => visit.visit.field(name) === "on";
    const how = { anyway: isTicked("anyway"), settledByMistake: isTicked("mistake") };
    await actOnce(visit, pushPayment, { paymentId: paymentIn(visit), ...how });
    return pageOf(visit, "pushed");
  };
  admins.post(`${path}/push`, push, showPayment);
  const settle = async (visit: WorkspaceVisit): Promise<string> => {
    await SETTLE.send(visit, { paymentId: paymentIn(visit) }, { once: true });
    return pageOf(visit, visit.visit.field("unchecked") === "on" ? "settled-unchecked" : "settled");
  };
  admins.post(`${path}/settle`, settle, showPayment);
}

async function showPayment(visit: WorkspaceVisit): Promise<void> {
  const paymentId = paymentIn(visit);
  const about = await visit.read(paymentWithAdvice, { paymentId });
  const items = await visit.read(attentionTo, { paymentId });
  const history = await historyPart(visit, { objectId: paymentId });
  const title = `Payment of ${amountOf(about)}`;
  const body = paymentView({ visit, title, about, items, history });
  visit.show({ title, within: "Payments", body });
}

function amountOf({ payment: { amount, currency } }: PaymentWithAdvice): string {
  return readableMoney(money(amount), currency);
}
