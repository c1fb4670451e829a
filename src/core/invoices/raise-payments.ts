import type { Transaction } from "../../store/store.ts";
import { raiseAttention, raiseOnce } from "../attention/attention-queries.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { money, toMinor } from "../shared/money.ts";
import type { paymentsOf } from "./collection-queries.ts";

type Payment = Awaited<ReturnType<typeof paymentsOf>>[number];

/** What an invoice was changed to: its currency, and its total now and before, in major units; null where unknown. */
interface ChangedInvoice {
  readonly currency: string | null;
  readonly total: string | null;
  readonly before: string | null;
}

/**
 * Puts before people the payments that a change of their invoice left without a debt (completions §12): those in another currency than
 * it has now, once; and where its total fell below what was paid through links and kept, by how much, the latest payments first.
 */
export async function raisePayments(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  tenantId: string,
  { currency, total, before }: ChangedInvoice,
  payments: readonly Payment[],
): Promise<void> {
  const concernOf = (payment: Payment) => ({
    ...{ tenantId, paymentId: payment.payment_id, paymentLinkId: payment.payment_link_id },
    ...{ invoiceId: payment.invoice_id, currency: payment.currency },
    subject: payment.provider_payment_id ?? payment.payment_id,
  });
  for (const payment of payments) {
    if (payment.currency === currency) continue;
    const of = { amountMinor: minorOf(payment), occurredAt: payment.paid_at };
    await raiseOnce(tx, core, { ...concernOf(payment), ...of, kind: "payment_in_other_currency" });
  }
  if (currency === null || total === null || before === null || !money(total).lessThan(money(before))) return;
  const own = payments.filter((payment) => payment.currency === currency);
  const kept = own.map((payment) => ({ payment, left: minorOf(payment) - BigInt(payment.refunded_minor) }));
  let over = kept.reduce((sum, { left }) => sum + left, 0n) - (toMinor(money(total), currency) ?? 0n);
  for (const { payment, left } of kept.sort(byLatest)) {
    const amountMinor = left < over ? left : over;
    if (amountMinor <= 0n) continue;
    over -= amountMinor;
    const of = { amountMinor, occurredAt: nowOf(core) };
    await raiseAttention(tx, core, { ...concernOf(payment), ...of, kind: "payment_over_owed" });
  }
}

const byLatest = ({ payment: one }: { payment: Payment }, { payment: other }: { payment: Payment }): number =>
  `${one.paid_at} ${one.payment_id}` < `${other.paid_at} ${other.payment_id}` ? 1 : -1;

const minorOf = ({ amount, currency }: Payment): bigint => toMinor(money(amount), currency) ?? 0n;
