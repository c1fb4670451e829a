import type { Act } from "../../core/attention/advice.ts";
import type { AttentionEntry } from "../../core/attention/list-attention.ts";
import type { PaymentWithAdvice } from "../../core/attention/payment-with-advice.ts";
import { readableMinor } from "../../core/mail/readable.ts";
import { settleReceiptByHand } from "../../core/payments/operations/settle-receipt-by-hand.ts";
import { hidden } from "../kit/fields.ts";
import { Form } from "../kit/form.ts";
import { type Html, html } from "../kit/html.ts";
import { livePart } from "../kit/live.ts";
import { onceField } from "../kit/once.ts";
import { disclosure, fact, part } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
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

export const SETTLE = new Form(
  settleReceiptByHand,
  {
    receiptNumber: {
      label: "The receipt's number in the ERP",
      hint: "It is looked up there, and has to hold this payment's amount. Then nothing is pushed.",
      attributes: html`maxlength="30" autocomplete="off"`,
    },
    check: { name: "unchecked", label: "Accept the number without looking it up", box: [false, true] },
  },
  "The receipt was not settled.",
);

/** One payment: its facts, how its receipt stands and what to do about it, and what else needs a person. */
export function paymentView(view: PaymentView): Html {
  const { visit, title, about, items, history } = view;
  const { payment } = about;
  const status = payment.erp_push_status;
  const isLive = isFollowed(view);
  const again = visit.address(`/payments/${payment.id}`, { done: "pushed" });
  const card = isLive ? html`<p>${calmWords(about)}</p>` : receipt(view);
  const marks = [status !== null && receiptChip(status), " ", payment.disputed && chip("Disputed", "failed")];
  return html`<p class="crumbs"><a href="${visit.address("/payments")}">Payments</a></p>
${livePart(
  visit.response,
  { id: "payment", isLive, again },
  html`<div class="title"><h1>${title} ${marks}</h1></div>
${done(view)}
${paymentFacts(view)}
${part("Receipt in the ERP", html`<div class="card">${card}</div>`)}`,
)}
${attentionPart(items, visit)}
${history}`;
}

const isUnderWay = ({ about: { payment } }: PaymentView): boolean =>
  payment.erp_push_status === "pending" || payment.erp_push_status === "processing";

/** A receipt that was just pushed is followed until it is in the ERP or has failed; forms come after that. */
function isFollowed(view: PaymentView): boolean {
  return isUnderWay(view) && view.visit.parameter("done") === "pushed";
}

/** What was just done, unless it is over: a receipt that has left the queue says itself how it stands. */
function done(view: PaymentView): Html | null {
  const isOver = view.visit.parameter("done") === "pushed" && !isUnderWay(view);
  return isOver ? null : view.visit.note(DONE);
}

function paymentFacts({ visit, about: { payment, erp } }: PaymentView): Html {
  const { address, workspace, isAdmin } = visit;
  const { refunded_minor: refunded, erp_receipt_number: number, currency } = payment;
  const long = (text: string | null): Html => (text === null ? NOTHING : html`<span class="long">${text}</span>`);
  return html`<dl class="key">
${fact("Paid", timeElement(payment.paid_at, workspace.timezone))}
${fact("Known here since", timeElement(payment.confirmed_at, workspace.timezone))}
${fact("Invoice", invoiceLink(payment.invoice_id, payment.invoice_number, visit))}
${fact("Customer", customerLink(payment.customer, visit))}
${fact("Through", html`<a href="${address(`/payment-links/${payment.payment_link_id}`)}">Payment link</a>`)}
${fact("Refunded", refunded > 0 ? readableMinor(BigInt(refunded), currency) : NOTHING)}
${isAdmin && fact("ERP", long(erp))}
${fact("Receipt number", long(number))}
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
  return html`${why !== null && html`<p><strong>${why.own}</strong></p>`}
${
  why?.erpWords &&
  html`<figure class="quote"><figcaption class="quiet">The ERP says</figcaption>
<blockquote>${why.erpWords}</blockquote></figure>`
}
${told}
${
  visit.isAdmin
    ? [
        about.isPushable && !isOffered && html`<div class="acts">${pushForm(view, pushWords(about))}</div>`,
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
    if (!act.anyway) return pushForm(view, pushWords(view.about));
    return html`<div>${pushForm(view, "Push it anyway", "anyway")}
<p class="quiet">Only where it was neither entered by hand nor paid twice.</p></div>`;
  };
}

function pushWords({ payment: { erp_push_status: status } }: PaymentWithAdvice): string {
  if (status === "held" || status === "pending") return "Push it now";
  if (status === "reversed") return "Make another receipt";
  return status === "posted" ? "Apply it again" : "Push it again";
}

function pushForm(
  { visit: at, about: { payment } }: PaymentView,
  words: string,
  how: "anyway" | "mistake" | null = null,
): Html {
  // What is held is shown with its amount before it is pushed.
  if (payment.erp_push_status === "held")
    return at.form("/payments/held/review", html`${hidden("payment", payment.id)}<button>${words}</button>`);
  const path = `/payments/${payment.id}/push`;
  const button = html`<button${how === "mistake" && html` class="danger"`}>${words}</button>`;
  return at.form(path, html`${onceField(at, path)}${how !== null && hidden(how, "on")}${button}`);
}

function settleForm({ visit, about: { payment } }: PaymentView): Html {
  const { refusal } = visit;
  const offersUnchecked =
    refusal?.code === "connection_disconnected" ||
    refusal?.details.some(({ code }) => code === "not_asked") === true ||
    visit.isTicked("unchecked");
  return html`<div id="settle">${SETTLE.view(visit, {
    ...{ path: `/payments/${payment.id}/settle`, button: "Settle by hand", label: "Settle by hand", look: "settle" },
    ...{ isPlain: true, once: true, head: html`<h3>Entered in the ERP by hand?</h3>` },
    words: offersUnchecked ? {} : { check: { type: "page" } },
  })}</div>`;
}

function mistake(view: PaymentView): Html {
  return disclosure(
    "Was that a mistake?",
    false,
    html`<p>If the ERP does not have the receipt, the settlement is undone and the receipt is pushed.</p>
${pushForm(view, "Undo it and push the receipt", "mistake")}`,
  );
}
