import { atLeastZero, type Money, sum } from "../kernel/money.ts";

/**
 * What a new payment link on an installment may still ask for (completions §4): what is left to collect, less what its
 * live links ask for already. Collected money is netted off `collectionOutstanding` and not subtracted again.
 */
export function availableAmount(collectionOutstanding: Money, liveLinkAmounts: Iterable<Money>): Money {
  return atLeastZero(collectionOutstanding.minus(sum(liveLinkAmounts)));
}
