import type { Transaction } from "../../../store/store.ts";
import { followAttention, lockItem } from "../../attention-items/attention-queries.ts";
import type { paymentsOf } from "../../collection/collection-queries.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { money, toMinor } from "../../kernel/money.ts";

type Payment = Awaited<ReturnType<typeof paymentsOf>>[number];

/** What an invoice is for: its currency, and its total in major units; null where unknown. */
interface InvoiceSum {
  readonly currency: string | null;
  readonly total: string | null;
}

/**
 * Has what people are told of an invoice's payments follow its change (completions §12): those in another currency than it has; and by
 * how much those kept are above its total, those told of first, then the latest, beside what one was too much as it came.
 */
export async function raisePayments(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  tenantId: string,
  { before, after }: { readonly before: InvoiceSum; readonly after: InvoiceSum },
  payments: readonly Payment[],
): Promise<void> {
  if (before.currency === after.currency && minorTotal(before) === minorTotal(after)) return;
  const kind = "payment_over_owed";
  const told = new Map<Payment, bigint>();
  for (const payment of payments) {
    const item = await lockItem(tx, tenantId, { kind, subject: subjectOf(payment) });
    told.set(payment, BigInt(item?.amount_minor ?? 0));
  }
  const inOrder = [...told].sort(byTold).map(([payment]) => payment);
  const [overBefore, overAfter] = [excesses(before, inOrder), excesses(after, inOrder)];
  for (const payment of inOrder) {
    const { payment_id: paymentId, payment_link_id: paymentLinkId, invoice_id: invoiceId, currency } = payment;
    const about = { tenantId, paymentId, paymentLinkId, invoiceId, currency };
    const item = { ...about, subject: subjectOf(payment), occurredAt: nowOf(core) };
    const inOther = currency === after.currency ? 0n : keptOf(payment);
    await followAttention(tx, core, { ...item, kind: "payment_in_other_currency", amountMinor: inOther });
    const of = (found: ReadonlyMap<Payment, bigint>): bigint => found.get(payment) ?? 0n;
    const asItCame = of(told) - of(overBefore) - BigInt(payment.refunded_minor);
    const over = of(overAfter) + (asItCame > 0n ? asItCame : 0n);
    await followAttention(tx, core, { ...item, kind, amountMinor: least(over, keptOf(payment)) });
  }
}

/** By how much each payment in an invoice's currency is above what it is for, in their order; of an unknown total none is. */
function excesses(invoice: InvoiceSum, payments: readonly Payment[]): Map<Payment, bigint> {
  const own = payments.filter((payment) => payment.currency === invoice.currency);
  const paid = own.reduce((sum, payment) => sum + keptOf(payment), 0n);
  let over = paid - (minorTotal(invoice) ?? paid);
  return new Map(
    own.map((payment) => {
      const part = over > 0n ? least(over, keptOf(payment)) : 0n;
      over -= part;
      return [payment, part];
    }),
  );
}

const minorTotal = ({ currency, total }: InvoiceSum): bigint | undefined =>
  currency === null || total === null ? undefined : toMinor(money(total), currency);

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

function byTold([one, told]: [Payment, bigint], [other, otherTold]: [Payment, bigint]): number {
  if (told !== otherTold) return told < otherTold ? 1 : -1;
  return `${one.paid_at} ${one.payment_id}` < `${other.paid_at} ${other.payment_id}` ? 1 : -1;
}

const subjectOf = ({ provider_payment_id: providerPaymentId, payment_id: paymentId }: Payment): string =>
  providerPaymentId ?? paymentId;

const keptOf = ({ amount, currency, refunded_minor: refunded }: Payment): bigint =>
  (toMinor(money(amount), currency) ?? 0n) - BigInt(refunded);
