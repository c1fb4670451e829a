import type { PaymentIntegrationRow } from "../../store/tables/payments.ts";
import { formatMoney, type Money, ZERO } from "../kernel/money.ts";

/** A message while its links are added. */
export interface DraftMessage {
  readonly customer: string | null;
  readonly customerId: string | null;
  readonly email: string;
  /** Of its first link: it names the message. */
  readonly installmentId: string;
  /** The earliest of its links. */
  sendAt: string;
  readonly sums: PlannedSums;
  readonly links: PlannedLink[];
}

/** A link of a planned message: a new one, or a live one that is mailed again. */
export interface PlannedLink {
  readonly installmentId: string;
  readonly provider: PaymentIntegrationRow["provider"];
  readonly amount: string;
  readonly currency: string;
}

/** A message that a plan names, with its links. */
export interface PlannedMessage {
  readonly customer: string | null;
  readonly email: string;
  readonly sendAt: string;
  readonly links: readonly PlannedLink[];
}

/** Those with most links first. */
export function byLinks(one: DraftMessage, other: DraftMessage) {
  const [a, b] = [one, other].map(({ customer, email }) => customer ?? email);
  return other.sums.links - one.sums.links || ((a ?? "") < (b ?? "") ? -1 : 1);
}

/** PlannedSums by currency, never across two. */
export class PlannedSums {
  readonly #sums = new Map<string, { links: number; amount: Money }>();
  links = 0;

  add(currency: string, amount: Money) {
    const sum = this.#sums.get(currency) ?? { links: 0, amount: ZERO };
    this.#sums.set(currency, { links: sum.links + 1, amount: sum.amount.plus(amount) });
    this.links += 1;
  }

  list() {
    return [...this.#sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, { links, amount }]) => ({ currency, links, amount: formatMoney(amount, currency) }));
  }
}
