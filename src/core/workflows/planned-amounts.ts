import { formatMoney, type Money, ZERO } from "../shared/money.ts";
import type { PlannedAmount } from "./plan-schema.ts";

/** Sums by currency, never across two. */
export class Sums {
  readonly #sums = new Map<string, { links: number; amount: Money }>();
  links = 0;

  add(currency: string, amount: Money): void {
    const sum = this.#sums.get(currency) ?? { links: 0, amount: ZERO };
    this.#sums.set(currency, { links: sum.links + 1, amount: sum.amount.plus(amount) });
    this.links += 1;
  }

  list(): PlannedAmount[] {
    return [...this.#sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, { links, amount }]) => ({ currency, links, amount: formatMoney(amount, currency) }));
  }
}
