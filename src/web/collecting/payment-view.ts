import type { Act } from "../../core/attention/advice.ts";
import type { AttentionEntry } from "../../core/attention/list-attention.ts";
import type { PaymentWithAdvice } from "../../core/attention/payment-with-advice.ts";
import { readableMinor } from "../../core/mail/readable.ts";
import { doneNote, type Refusal, refusalNote } from "../kit/acts.ts";
import { input } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { livePart } from "../kit/live.ts";
import { onceField } from "../kit/once.ts";
import { fact, part } from "../kit/parts.ts";
import { timeElement } from "../kit/words.ts";
import { parameter, type WorkspaceVisit } from "../kit/workspace-pages.ts";
import { chip, NOTHING } from "../lists/figures.ts";
import { adviceView } from "../receivables/advice-view.ts";
import { attentionPart } from "../receivables/attention-view.ts";
import { customerLink, invoiceLink } from "../receivables/invoice-list.ts";
import { receiptChip } from "../receivables/terms.ts";

interface PaymentView {
  readonly visit: WorkspaceVisit;
  readonly title: string;
  readonly about: PaymentWithAdvice;
  /** What of the payment needs a person beside its receipt. */
  readonly items: readonly AttentionEntry[];
  readonly refusal: Refusal | null;
  /** Null for members, who do not see the audit trail. */
  readonly history: Html | null;
}

const DONE = {
  pushed:
    "The receipt is queued, and written to the ERP within moments or, while the ERP does not answer, over the next 24 hours.",
  settled:
    "Settled by the ERP's receipt, which was found there. From the next sync on, the ERP's balance is taken to include the payment.",
  "settled-unchecked":
    "Settled by a receipt number that was not looked up in the ERP. From the next sync on, the ERP's balance is taken to include the payment.",
};

/** One payment: its facts, how its receipt stands and what to do about it, and what else needs a person. */
export function paymentView(view: PaymentView): Html {
  const { visit, title, about, items, refusal, history } = view;
  const { payment } = about;
  const status = payment.erp_push_status;
  const atField = refusal?.details.some(({ field }) => field === "receiptNumber") === true;
  const isLive = isFollowed(view);
  const again = visit.address(`/payments/${payment.id}`, { done: "pushed" });
  return html`<p class="crumbs"><a href="${visit.address("/payments")}">Payments</a></p>
${livePart(
  visit.visit.response,
  { id: "payment", isLive, again },
  html`<div class="title"><h1>${title} ${status !== null && receiptChip(status)} ${payment.disputed && chip("Disputed", "failed")}</h1></div>
${atField ? refusalNote({ message: "The receipt was not settled." }) : (refusalNote(refusal) ?? done(view))}
${facts(view)}
${part("Receipt in the ERP", html`<div class="card">${isLive ? html`<p>${calmWords(about)}</p>` : receipt(view)}</div>`)}`,
)}
${attentionPart(items, visit)}
${history}`;
}

const isUnderWay = ({ about: { payment } }: PaymentView): boolean =>
  payment.erp_push_status === "pending" || payment.erp_push_status === "processing";

/** A receipt that was just pushed is followed until it is in the ERP or has failed; forms come after that. */
function isFollowed(view: PaymentView): boolean {
  return isUnderWay(view) && parameter(view.visit.visit.request, "done") === "pushed";
}

/** What was just done, unless it is over: a receipt that has left the queue says itself how it stands. */
function done(view: PaymentView): Html | null {
  const isOver = parameter(view.visit.visit.request, "done") === "pushed" && !isUnderWay(view);
  return isOver ? null : doneNote(view.visit, DONE);
}

function facts({ visit, about: { payment, erp } }: PaymentView): Html {
  const { address, workspace, isAdmin } = visit;
  return html`<dl class="key">
${fact("Paid", timeElement(payment.paid_at, workspace.timezone))}
${fact("Known here since", timeElement(payment.confirmed_at, workspace.timezone))}
${fact("Invoice", invoiceLink(payment.invoice_id, payment.invoice_number, visit))}
${fact("Customer", customerLink(payment.customer, visit))}
${fact("Through", html`<a href="${address(`/payment-links/${payment.payment_link_id}`)}">Payment link</a>`)}
${fact("Refunded", payment.refunded_minor > 0 ? readableMinor(BigInt(payment.refunded_minor), payment.currency) : NOTHING)}
${isAdmin && fact("ERP", erp === null ? NOTHING : html`<span class="long">${erp}</span>`)}
${fact("Receipt number", payment.erp_receipt_number === null ? NOTHING : html`<span class="long">${payment.erp_receipt_number}</span>`)}
</dl>`;
}

/** States in which nobody has to do anything, in a sentence. */
function calmWords({ payment: { erp_push_status: status }, isSettledByHand }: PaymentWithAdvice): string | null {
  if (status === null) return "The invoice has no ERP, so no receipt is written for this payment.";
  if (status === "applied")
    return isSettledByHand
      ? "Somebody entered the receipt in the ERP and settled it here by its number. Nothing is pushed for it."
      : "The ERP has the receipt, applied to its invoice. There is nothing to do.";
  if (status === "pending") return "It is queued, and written to the ERP by itself.";
  if (status === "processing") return "It is being written to the ERP.";
  return status === "posted" ? "The ERP has the receipt. It is queued to be applied there." : null;
}

function receipt(view: PaymentView): Html {
  const { visit, about } = view;
  const { why, advice } = about;
  const isOffered = advice?.steps.some(({ act }) => act.kind === "push_receipt") === true;
  const told =
    advice === null ? html`<p>${calmWords(about)}</p>` : adviceView(advice, visit.isAdmin ? actsOf(view) : null);
  return html`${why !== null && html`<p><strong>${why.own}</strong></p>${why.erpWords !== null && html`<figure class="quote"><figcaption class="quiet">The ERP says</figcaption><blockquote>${why.erpWords}</blockquote></figure>`}`}
${told}
${
  visit.isAdmin
    ? [
        about.isPushable && !isOffered && html`<div class="acts">${pushForm(view, pushWords(about), {})}</div>`,
        about.canBeSettled && settleForm(view),
        about.isSettledByMistake && mistake(view),
      ]
    : advice !== null && html`<p class="quiet">An admin of the workspace can do something about it here.</p>`
}`;
}

/** The acts of the page's own: settling by hand has a form below. */
function actsOf(view: PaymentView) {
  return (act: Act): Html | null => {
    if (act.kind !== "push_receipt") return null;
    if (!act.anyway) return pushForm(view, pushWords(view.about), {});
    return html`<div>${pushForm(view, "Push it anyway", { anyway: true })}<p class="quiet">Only where it was neither entered by hand nor paid twice.</p></div>`;
  };
}

function pushWords({ payment: { erp_push_status: status } }: PaymentWithAdvice): string {
  if (status === "held" || status === "pending") return "Push it now";
  if (status === "reversed") return "Make another receipt";
  return status === "posted" ? "Apply it again" : "Push it again";
}

function pushForm(
  { visit, about: { payment } }: PaymentView,
  words: string,
  { anyway = false, mistake: isMistake = false }: { anyway?: boolean; mistake?: boolean },
): Html {
  // What is held is shown with its amount before it is pushed.
  if (payment.erp_push_status === "held") {
    const { action, field } = visit.form("/payments/held/review");
    return html`<form class="inline" method="post" action="${action}">${field}<input type="hidden" name="payment" value="${payment.id}"><button>${words}</button></form>`;
  }
  const { action, field } = visit.form(`/payments/${payment.id}/push`);
  return html`<form class="inline" method="post" action="${action}">${field}${onceField(visit.visit, { isFresh: true })}${anyway && html`<input type="hidden" name="anyway" value="on">`}${isMistake && html`<input type="hidden" name="mistake" value="on">`}<button${isMistake && html` class="danger"`}>${words}</button></form>`;
}

function settleForm({ visit, about: { payment }, refusal }: PaymentView): Html {
  const { action, field } = visit.form(`/payments/${payment.id}/settle`);
  const found = refusal?.details.find((one) => one.field === "receiptNumber");
  const problem = found === undefined ? undefined : `It ${found.message}.`;
  const cannotBeAsked = refusal?.code === "connection_disconnected" || found?.code === "not_asked";
  const offersUnchecked = cannotBeAsked || visit.visit.field("unchecked") === "on";
  return html`<form id="settle" class="settle" method="post" action="${action}" aria-label="Settle by hand">${field}${onceField(visit.visit)}
<h3>Entered in the ERP by hand?</h3>
${input(
  {
    id: "receipt-number",
    name: "receipt_number",
    label: "The receipt's number in the ERP",
    hint: "It is looked up there, and has to hold this payment's amount. Then nothing is pushed.",
    problem,
  },
  html`value="${visit.visit.field("receipt_number")}" maxlength="30" required autocomplete="off"`,
)}
${offersUnchecked && html`<label class="check"><input type="checkbox" name="unchecked" value="on"> <span>Accept the number without looking it up</span></label>`}
<div class="actions"><button class="plain">Settle by hand</button></div></form>`;
}

function mistake(view: PaymentView): Html {
  return html`<details><summary>Was that a mistake?</summary><p>If the ERP does not have the receipt, the settlement is undone and the receipt is pushed.</p>
${pushForm(view, "Undo it and push the receipt", { mistake: true })}</details>`;
}
