import type { PaymentConfirmed } from "../../../gateways/payments/gateway.ts";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import { followAttention, raiseOnce } from "../../attention-items/attention-queries.ts";
import { lockChargeableCurrencies } from "../../collection/collection-queries.ts";
import { nowOf, type Stamping } from "../../gate/dependencies.ts";
import { workStep } from "../../gate/work-step.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { orNotFound } from "../../kernel/error.ts";
import { fromMinor, type Money, money, toMinor, ZERO } from "../../kernel/money.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { readableMoney } from "../../mail/readable.ts";
import type { StoredLink } from "../../payment-links/link-queries.ts";
import { markPaid, withdrawLink } from "../../payment-links/withdrawing/deactivate-link.ts";
import { LINKS_WITHDRAWN } from "../../payment-links/withdrawing/review-active-links.ts";
import { withdrawAtProvider } from "../../payment-links/withdrawing/withdraw-links.ts";
import { insertPayment, installmentOf, lockPaidInvoice } from "../payment-queries.ts";
import { RECEIPTS_QUEUED } from "../receipts/claimed-push.ts";
import { isRecorded, owedOn } from "./event-queries.ts";
import { applyKeptRefunds } from "./record-refund.ts";
import { isVouchedFor, lockLinkOf, providerOf, type Taking } from "./vouching.ts";

/** A payment, and the link that it came through. */
interface LinkPayment {
  readonly link: StoredLink;
  readonly event: PaymentConfirmed;
}

/**
 * Records a payment with the amount that the provider says, even where the link asked for another or is withdrawn. An active link
 * is paid, or withdrawn where the money is in another currency than the invoice and counts in no figure; other links of the
 * installment that ask for more than is left are withdrawn.
 */
export async function takeConfirmation(taking: Taking, event: PaymentConfirmed) {
  const { tx, core, actor, requestId, afterCommit } = taking;
  const { tenantId } = actor;
  const { providerPaymentId, currency } = event;
  await lockChargeableCurrencies(tx, tenantId);
  const found = await lockLinkOf(taking, event);
  if (found === undefined) return core.log.info({ tenantId, providerPaymentId, requestId }, "payment.link.unknown");
  const { link, invoice } = found;
  // Under the link's integration, not the one that reported it: an account may be connected a second time.
  if (await isRecorded(tx, link, providerPaymentId)) return;
  if (!(await isVouchedFor(taking, event, "recordPayment", link))) return;
  const author = providerOf(link);
  const amount = currency === invoice.currency ? fromMinor(event.amountMinor, currency) : undefined;
  if (amount === undefined) {
    const { payment_link_id: paymentLinkId } = link;
    if (await keepOutOfFigures.within(taking, author, { link, event }))
      core.log.error({ tenantId, paymentLinkId, providerPaymentId, currency }, "payment.currency.refused");
    return endSpentLink(taking, link);
  }
  const owed = await owedOn(tx, link);
  const paymentId = await recordPayment.within(taking, author, { link, event, amount });
  // Of the whole invoice, as it stands now: money that came another way moves on to its next installment.
  const settled = owed.minus(await owedOn(tx, link));
  await noteOverpayment.within(taking, author, { link, event, paymentId, over: amount.minus(settled) });
  for (const topic of [RECEIPTS_QUEUED, LINKS_WITHDRAWN])
    afterCommit(() => core.store.publish({ topic, payload: tenantId }));
}

/** Withdraws an active link whose one completion is used up without a payment that counts. */
export async function endSpentLink({ afterCommit, ...context }: Taking, link: StoredLink) {
  const { tenant_id: tenantId, payment_link_id: linkId, invoice_id: invoiceId, state } = link;
  if (state !== "active") return;
  await withdrawLink.within(context, providerOf(link), { linkId, invoiceId });
  afterCommit(() => withdrawAtProvider(context.core, tenantId, [linkId]));
}

/** What people are told of a payment through a link. */
const told = ({ link, event }: LinkPayment) => {
  const { providerPaymentId: subject, amountMinor, currency, occurredAt: occurred_at } = event;
  return { ...link, subject, amountMinor, currency, occurred_at };
};

/**
 * Money in another currency than the invoice's cannot be set against it: the ERP changed the invoice's, or somebody the link's at the
 * provider. It counts in no figure and is put before people, once for however many events.
 */
const keepOutOfFigures = workStep({
  name: "recordPaymentInOtherCurrency",
  callers: ["provider"],
  async run({ tx, core, audit }, payment: LinkPayment) {
    const isNew = await raiseOnce(tx, core, { ...told(payment), kind: "payment_in_other_currency" });
    audit(isNew ? { type: "payment_link", id: payment.link.payment_link_id, outcome: "refused" } : null);
    return isNew;
  },
});

/** Says of a payment how far it is above what was owed as it came, if it is. */
const noteOverpayment = workStep({
  name: "recordOverpayment",
  callers: ["provider"],
  async run({ tx, core, audit }, { paymentId, over, ...payment }: LinkPayment & { paymentId: string; over: Money }) {
    const { currency } = payment.event;
    const amountMinor = toMinor(over, currency) ?? 0n;
    if (amountMinor <= 0n) return audit(null);
    const item = { ...told(payment), kind: "payment_over_owed", payment_id: paymentId, amountMinor } as const;
    await raiseOnce(tx, core, item);
    audit({ type: "payment", id: paymentId, details: { excess: readableMoney(over, currency) } });
  },
});

/** Answers the payment's id. */
const recordPayment = workStep({
  name: "recordPayment",
  callers: ["provider"],
  async run({ tx, core, audit }, { link, event, amount }: LinkPayment & { amount: Money }) {
    const { providerPaymentId, amountMinor, currency, occurredAt: paidAt } = event;
    const { tenant_id, invoice_id, installment_id, payment_link_id, payment_integration_id } = link;
    // Before the figures are derived: a link that is paid asks for nothing more.
    await markPaid(tx, link, paidAt);
    const paymentId = await recordConfirmedPayment(tx, core, {
      ...{ tenant_id, invoice_id, installment_id, payment_link_id, payment_integration_id, currency, amount },
      paid_at: paidAt,
      provider_payment_id: providerPaymentId,
      amount_minor: amountMinor.toString(),
    });
    const payment = { ...told({ link, event }), payment_id: paymentId };
    await applyKeptRefunds(tx, payment, providerPaymentId);
    // Ends what people were told of it while its invoice had another currency.
    await followAttention(tx, core, { ...payment, kind: "payment_in_other_currency", amountMinor: 0n });
    audit({ type: "payment", id: paymentId });
    return paymentId;
  },
});

/** A payment, in the invoice's currency and above zero. */
interface ConfirmedPayment
  extends Pick<
    PaymentRow,
    | "tenant_id"
    | "invoice_id"
    | "installment_id"
    | "currency"
    | "paid_at"
    | "payment_link_id"
    | "payment_integration_id"
    | "provider_payment_id"
    | "amount_minor"
  > {
  readonly amount: Money;
}

/**
 * Records a confirmed payment and recomputes its invoice, in the caller's transaction; answers the payment's id. Its receipt waits
 * to be pushed, or is held when the connection says so; an invoice of the service's own has no ERP. Throws `not_found`,
 * `validation_failed`.
 */
export async function recordConfirmedPayment(
  tx: Transaction,
  core: Stamping,
  { amount, ...payment }: ConfirmedPayment,
) {
  const { tenant_id: tenantId, invoice_id: invoiceId, installment_id: installmentId } = payment;
  if (amount.lessThanOrEqualTo(ZERO)) throw validationFailed([{ field: "amount", message: "must be above zero" }]);
  await lockChargeableCurrencies(tx, tenantId);
  const invoice = orNotFound(await lockPaidInvoice(tx, tenantId, invoiceId), "invoice");
  const isLocal = invoice.origin === "local";
  const installment = installmentId === null ? null : await installmentOf(tx, tenantId, invoiceId, installmentId);
  const paymentId = core.newId();
  const now = nowOf(core);
  await insertPayment(tx, {
    ...payment,
    payment_id: paymentId,
    connection_id: invoice.connection_id,
    amount: amount.toFixed(),
    confirmed_at: now,
    erp_push_status: isLocal ? null : invoice.payment_push_mode === "held" ? "held" : "pending",
    applied_at: null,
    reflected_at: null,
    created_at: now,
    erp_outstanding_before: isLocal ? null : (installment?.erp_outstanding ?? null),
    erp_outstanding_read_at: isLocal ? null : invoice.last_synced_at,
    settled_otherwise: settledOtherwise(invoice).toFixed(),
  });
  await recomputeInvoices(tx, core, tenantId, [invoiceId]);
  return paymentId;
}

/** Below zero where more is owed than it is for, as with charges of the ERP's. */
function settledOtherwise(invoice: NonNullable<Awaited<ReturnType<typeof lockPaidInvoice>>>) {
  const { total_amount: total, amount_collected: collected, collection_outstanding: owed } = invoice;
  return total === null ? ZERO : money(total).minus(money(collected)).minus(money(owed));
}
