import type { Money } from "../kernel/money.ts";

/**
 * service.md §3.2: `paid` where something was collected and nothing is outstanding (completions §6), `open` where an installment is
 * collectible, else `inactive`.
 */
export function collectionStatus(collected: Money, outstanding: Money, anyCollectible: boolean) {
  if (!collected.isZero() && outstanding.isZero()) return "paid";
  return anyCollectible ? "open" : "inactive";
}
