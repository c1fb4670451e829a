import type { Act } from "../../core/attention/advice.ts";
import { attentionTo } from "../../core/attention/list-attention.ts";
import { type PaymentWithAdvice, paymentWithAdvice } from "../../core/attention/payment-with-advice.ts";
import { readableMinor, readableMoney } from "../../core/mail/readable.ts";
import { pushPayment } from "../../core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../core/payments/operations/settle-receipt-by-hand.ts";
import { historyPart } from "../audit/history-part.ts";
import {
  aside,
  disclosure,
  hidden,
  html,
  keyFacts,
  livePart,
  muted,
  pageHead,
  paragraph,
  part,
} from "../kit/markup.ts";
import { actOnce, admins, doing, Form, type FormActs, members, onceField, type WorkspaceVisit } from "../kit/page.ts";
import { chip, unbroken } from "../lists/list.ts";
import { adviceView, attentionPart } from "../receivables/attention-view.ts";
import { customerLink, invoiceLink } from "../receivables/invoice-list.ts";
import { receiptChip } from "../receivables/terms.ts";

const paymentIn = (visit: WorkspaceVisit) => visit.id("paymentId", "payment");

const SETTLE = new Form(
  settleReceiptByHand,
  {
    receiptNumber: {
      label: "The receipt's number in the ERP",
      hint: "It is looked up there, and has to hold this payment's amount. Then nothing is pushed.",
    },
    check: { name: "unchecked", label: "Accept the number without looking it up", box: [false, true] },
  },
  "The receipt was not settled.",
);

const ACTS: FormActs<WorkspaceVisit> = {
  "/push": doing("pushed", (visit) => {
    const how = { anyway: visit.isTicked("anyway"), settledByMistake: visit.isTicked("mistake") };
    return actOnce(visit, pushPayment, { paymentId: paymentIn(visit), ...how });
  }),
  "/settle": {
    async send(visit) {
      const { erp_push_status: status } = await SETTLE.send(visit, { paymentId: paymentIn(visit) }, { once: true });
      if (status === "posted") return "settled-unapplied";
      return visit.isTicked("unchecked") ? "settled-unchecked" : "settled";
    },
  },
};

/** `/payments/{id}`: one payment, why its receipt is not in the ERP, and what to do about it. */
export const PAYMENT_PAGE = { routes: members.page("/payments/:paymentId", showPayment, ACTS, admins) };

const FOLLOWS = "From the next sync on, the ERP's balance is taken to include the payment.";
const DONE = {
  pushed: "The receipt is queued, and written to the ERP within moments, or within 24 hours while it does not answer.",
  settled: `Settled by the ERP's receipt, which was found there. ${FOLLOWS}`,
  "settled-unapplied": "Settled by the ERP's receipt, which was found there. It is not applied to the invoice yet.",
  "settled-unchecked": `Settled by a receipt number that was not looked up in the ERP. ${FOLLOWS}`,
};

async function showPayment(visit: WorkspaceVisit) {
  const paymentId = paymentIn(visit);
  const about = await visit.call(paymentWithAdvice, { paymentId });
  const items = await visit.call(attentionTo, { paymentId });
  const history = await historyPart(visit, { objectId: paymentId });
  const { amount, currency, erp_push_status: status, disputed } = about.payment;
  // A receipt that was just pushed is followed until it is in the ERP or has failed; forms come after that.
  const isPushed = visit.done === "pushed";
  const isUnderWay = status === "pending" || status === "processing";
  const isLive = isPushed && isUnderWay;
  const card = isLive ? paragraph(calmWords(about)) : receipt(visit, about);
  const sum = readableMoney(amount, currency);
  const chips = [aside("Receipt:"), " ", receiptChip(status), " ", disputed && chip("Disputed", "failed")];
  const followed = html`${pageHead(["Payment of ", unbroken(sum), " ", chips])}
${(!isPushed || isUnderWay) && visit.note(DONE)}
${paymentFacts(visit, about)}
${part("Receipt in the ERP", html`<div class="card">${card}</div>`)}`;
  const again = visit.address(`/payments/${paymentId}`, { done: "pushed" });
  const body = html`${visit.crumbs()}
${livePart(visit.response, { id: "payment", isLive, again }, followed)}
${attentionPart(items, visit)}
${history}`;
  visit.show({ title: `Payment of ${sum}`, body });
}

function paymentFacts(visit: WorkspaceVisit, { payment, erp }: PaymentWithAdvice) {
  const { refunded_minor: refunded, currency } = payment;
  const long = (text: string | null) => (text === null ? null : html`<span class="long">${text}</span>`);
  return keyFacts([
    ["Paid", visit.time(payment.paid_at)],
    ["Reported", visit.time(payment.confirmed_at)],
    ["Invoice", invoiceLink(payment.invoice_id, payment.invoice_number, visit)],
    ["Customer", customerLink(payment.customer, visit)],
    ["Through", visit.link(`/payment-links/${payment.payment_link_id}`, "Payment link")],
    ["Refunded", refunded > 0 ? readableMinor(BigInt(refunded), currency) : null],
    visit.isAdmin && ["ERP", long(erp)],
    ["Receipt number", long(payment.erp_receipt_number)],
  ]);
}

/** States in which nobody has to do anything, in a sentence. */
function calmWords({ payment: { erp_push_status: status }, isSettledByHand }: PaymentWithAdvice) {
  if (status === null) return "The invoice has no ERP, so no receipt is written for this payment.";
  if (status === "applied")
    return isSettledByHand
      ? "The receipt was entered in the ERP by hand, and settled here by its number. Nothing is pushed."
      : "The ERP has the receipt, applied to its invoice.";
  if (status === "pending") return "It is queued, and written to the ERP by itself.";
  if (status === "processing") return "It is being written to the ERP.";
  return status === "posted" ? "The ERP has the receipt. It is queued to be applied there." : null;
}

function receipt(visit: WorkspaceVisit, about: PaymentWithAdvice) {
  const { isAdmin } = visit;
  const { why, advice, payment } = about;
  const isOffered = advice?.steps.some(({ act }) => act.kind === "push_receipt") === true;
  const push = pushForm(visit, payment, pushWords(payment));
  // Settling by hand has a form below.
  const offered = (act: Act) => {
    if (act.kind !== "push_receipt" || !act.anyway) return act.kind === "push_receipt" ? push : null;
    return html`<div>${pushForm(visit, payment, "Push it anyway", "anyway")}
${muted("Only where it was neither entered by hand nor paid twice.")}</div>`;
  };
  const acts = [
    about.isPushable && !isOffered && html`<div class="acts">${push}</div>`,
    about.canBeSettled && settleForm(visit, payment),
    about.isSettledByMistake && mistake(visit, payment),
  ];
  const canAct = advice !== null && (advice.steps.length > 0 || acts.some((act) => act !== false));
  return html`${why !== null && html`<p><strong>${why.own}</strong></p>`}
${why?.erpWords && quote(why.erpWords)}
${advice === null ? paragraph(calmWords(about)) : adviceView(advice, isAdmin ? offered : null)}
${isAdmin ? acts : canAct && muted("An admin of the workspace can do something about it here.")}`;
}

const quote = (words: string) => html`<figure class="quote"><figcaption class="quiet">The ERP says</figcaption>
<blockquote>${words}</blockquote></figure>`;

type Payment = PaymentWithAdvice["payment"];

function pushWords({ erp_push_status: status }: Payment) {
  if (status === "held" || status === "pending") return "Push it now";
  if (status === "reversed") return "Make another receipt";
  return status === "posted" ? "Apply it" : "Push it again";
}

function pushForm(visit: WorkspaceVisit, payment: Payment, words: string, how?: "anyway" | "mistake") {
  // What is held is shown with its amount before it is pushed.
  if (payment.erp_push_status === "held")
    return visit.button("/payments/held/review", html`${hidden("payment", payment.id)}<button>${words}</button>`);
  const path = `/payments/${payment.id}/push`;
  const button = html`<button${how === "mistake" && html` class="danger"`}>${words}</button>`;
  return visit.button(path, [onceField(visit, path), how !== undefined && hidden(how, "on"), button]);
}

function settleForm(visit: WorkspaceVisit, { id }: Payment) {
  const { refusal } = visit;
  const offersUnchecked =
    refusal?.code === "connection_disconnected" ||
    refusal?.details.some(({ code }) => code === "not_asked") === true ||
    visit.isTicked("unchecked");
  return html`<div id="settle">${SETTLE.view(visit, {
    ...{ path: `/payments/${id}/settle`, button: "Settle by hand", label: "Settle by hand", look: "settle" },
    ...{ isPlain: true, once: true, head: html`<h3>Entered in the ERP by hand?</h3>` },
    words: offersUnchecked ? {} : { check: { type: "page" } },
  })}</div>`;
}

function mistake(visit: WorkspaceVisit, payment: Payment) {
  const undo = paragraph("If the ERP has no receipt of this payment, undo the settlement, and the receipt is pushed.");
  const push = pushForm(visit, payment, "Undo it and push the receipt", "mistake");
  return disclosure("Was that a mistake?", false, [undo, push]);
}
