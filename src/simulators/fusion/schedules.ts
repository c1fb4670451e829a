import type { Decimal } from "decimal.js";
import { amountOf, Exact, rawAmount } from "./exact.ts";
import { changed, type FusionRecord, type FusionRecords } from "./records.ts";
import { installments, invoiceResource } from "./resources.ts";

/** An installment and the invoice it is of. */
interface Scheduled {
  readonly invoice: FusionRecord;
  readonly installment: FusionRecord;
}

/** Part of an installment's balance, and what that is in the ledger's currency. */
export interface Part {
  readonly amount: Decimal;
  readonly accounted: Decimal;
}

const ZERO = new Exact(0);

/** The installments of an invoice, in the order in which they are due. */
export function scheduleOf(invoice: FusionRecord): readonly FusionRecord[] {
  return (invoice.children.get(installments.name) ?? []).toSorted((a, b) =>
    (amountOf(a, "InstallmentSequenceNumber") ?? ZERO).cmp(amountOf(b, "InstallmentSequenceNumber") ?? ZERO),
  );
}

export function findInstallment(records: FusionRecords, installmentId: string): Scheduled | undefined {
  for (const invoice of records.all(invoiceResource)) {
    const installment = invoice.children.get(installments.name)?.find((candidate) => candidate.id === installmentId);
    if (installment !== undefined) return { invoice, installment };
  }
  return undefined;
}

export const balanceOf = (installment: FusionRecord): Decimal => amountOf(installment, "InstallmentBalanceDue") ?? ZERO;

/** That much of an installment's balance; in the ledger's currency by the rate the installment itself shows. */
export function partOf(installment: FusionRecord, amount: Decimal): Part {
  const balance = balanceOf(installment);
  const accounted = amountOf(installment, "AccountedBalanceDue");
  if (accounted === null || balance.isZero()) return { amount, accounted: amount };
  return { amount, accounted: accounted.times(amount).div(balance).toDecimalPlaces(6) };
}

/**
 * Takes a part off an installment's balance and the invoice's (a negative one puts it back on), closes what comes to
 * zero and opens it again, and moves LastUpdateDate of both.
 */
export function payInstallment(records: FusionRecords, installmentId: string, part: Part, now: Date): void {
  const found = findInstallment(records, installmentId);
  if (found === undefined) return;
  const { invoice, installment } = found;
  const balance = balanceOf(installment).minus(part.amount);
  const closed = balance.isZero();
  const updated = { LastUpdateDate: timestamp(now) };
  const settled = changed(installment, {
    InstallmentBalanceDue: rawAmount(balance),
    ...minus(installment, "AccountedBalanceDue", part.accounted),
    AmountPaid: rawAmount((amountOf(installment, "AmountPaid") ?? ZERO).plus(part.amount)),
    InstallmentStatus: closed ? "Closed" : "Open",
    InstallmentClosedDate: closed ? now.toISOString().slice(0, 10) : null,
    ...updated,
  });
  const children = (invoice.children.get(installments.name) ?? []).map((one) =>
    one.id === settled.id ? settled : one,
  );
  records.replace(invoiceResource, {
    ...changed(invoice, { ...minus(invoice, "InvoiceBalanceAmount", part.accounted), ...updated }),
    children: new Map([...invoice.children, [installments.name, children]]),
  });
}

/** An instant as Fusion writes it. */
export const timestamp = (now: Date): string => now.toISOString().replace("Z", "+00:00");

function minus(record: FusionRecord, attribute: string, part: Decimal) {
  const amount = amountOf(record, attribute);
  return amount === null ? {} : { [attribute]: rawAmount(amount.minus(part)) };
}
