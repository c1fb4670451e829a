import type { Transaction } from "../../../store/store.ts";
import { followAttention, lockItem } from "../../attention-items/attention-queries.ts";
import { lockInvoices, paymentsOf } from "../../collection/collection-queries.ts";
import { nowOf, type Stamping } from "../../gate/dependencies.ts";
import { money, toMinor } from "../../kernel/money.ts";

type Invoice = Awaited<ReturnType<typeof lockInvoices>>[number];
type Payment = Awaited<ReturnType<typeof paymentsOf>>[number];

/**
 * Has what people are told of an invoice's payments follow what it is for and what was kept of them (completions §12): those in
 * another currency than it has; and by how much those kept, and what came another way by their time, are above its total.
 */
export async function raisePayments(tx: Transaction, core: Stamping, tenantId: string, invoiceId: string) {
  const [invoice] = await lockInvoices(tx, tenantId, [invoiceId]);
  if (invoice === undefined) return;
  const told = new Map<Payment, bigint>();
  const kind = "payment_over_owed";
  for (const payment of await paymentsOf(tx, tenantId, [invoiceId])) {
    const item = await lockItem(tx, tenantId, { kind, subject: subjectOf(payment) });
    told.set(payment, BigInt(item?.amount_minor ?? 0));
  }
  const over = excesses(invoice, told);
  for (const payment of told.keys()) {
    const item = { ...payment, tenant_id: tenantId, subject: subjectOf(payment), occurred_at: nowOf(core) };
    const inOther = payment.currency === invoice.currency ? 0n : keptOf(payment);
    await followAttention(tx, core, { ...item, kind: "payment_in_other_currency", amountMinor: inOther });
    await followAttention(tx, core, { ...item, kind, amountMinor: over.get(payment) ?? 0n });
  }
}

/**
 * How much of each payment in an invoice's currency is too much: as far as people were told so, then of those told of first, then of the
 * latest. Where nobody knows what the invoice is for, what they were told, as far as it was kept.
 */
function excesses(invoice: Invoice, told: ReadonlyMap<Payment, bigint>) {
  const own = [...told].filter(([{ currency }]) => currency === invoice.currency).sort(byTold);
  const total = totalOf(invoice);
  const kept = own.reduce((sum, [payment]) => sum + keptOf(payment), 0n);
  const otherwise =
    own.map(([payment]) => minorOf(payment.settled_otherwise, payment.currency)).sort(descending)[0] ?? 0n;
  let over = total === undefined ? kept : most(kept + otherwise - total, 0n);
  const parts = new Map<Payment, bigint>();
  const take = (payment: Payment, limit: bigint) => {
    const before = parts.get(payment) ?? 0n;
    const part = least(over, least(limit, keptOf(payment)) - before);
    over -= part;
    parts.set(payment, before + part);
  };
  for (const [payment, before] of own) take(payment, before);
  if (total !== undefined) for (const [payment] of own) take(payment, keptOf(payment));
  return parts;
}

/** Minor units; a void invoice is for nothing. Undefined where it is not known, and while the ERP no longer has the invoice. */
function totalOf({ currency, total_amount: total, voided_at: voidedAt, retired_at: retiredAt }: Invoice) {
  if (voidedAt !== null) return 0n;
  return currency === null || total === null || retiredAt !== null ? undefined : toMinor(money(total), currency);
}

const minorOf = (amount: string, currency: string) => toMinor(money(amount), currency) ?? 0n;

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const most = (one: bigint, other: bigint) => (one > other ? one : other);
const descending = (one: bigint, other: bigint) => Number(other > one) - Number(one > other);

function byTold([one, told]: [Payment, bigint], [other, otherTold]: [Payment, bigint]) {
  if (told !== otherTold) return descending(told, otherTold);
  return `${one.paid_at} ${one.payment_id}` < `${other.paid_at} ${other.payment_id}` ? 1 : -1;
}

const subjectOf = ({ provider_payment_id: providerPaymentId, payment_id: paymentId }: Payment) =>
  providerPaymentId ?? paymentId;

const keptOf = ({ amount, currency, refunded_minor: refunded }: Payment) =>
  minorOf(amount, currency) - BigInt(refunded);
