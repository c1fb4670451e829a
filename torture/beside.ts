import type { Random } from "../src/simulators/fusion/random.ts";
import type { SessionRecord } from "../src/simulators/stripe/checkout.ts";
import { disputedInvoice, type Part, type Tenant } from "./tenant.ts";

/** A receipt that one of the ERP's users entered. */
export interface Entered {
  readonly part: Part;
  readonly number: string;
  /** Of the service's, whose money it is; null where a customer paid into the ERP's bank account. */
  readonly paymentId: string | null;
}

const LOST_PERCENT = 30;

/** What others do beside the straight way (completions §12), and what the service has to know of it in the end. */
export class Beside {
  /** Minor units, by the provider's id of the payment. */
  readonly refunded = new Map<string, bigint>();
  readonly disputed = new Map<string, boolean>();
  /** Checkouts that were open when their debt changed in the ERP. */
  readonly checkouts: SessionRecord[] = [];
  lost = 0;
  changes = 0;
  readonly #entered = new Map<Tenant, Entered[]>();
  /** Sequences of disputed installments, by invoice. */
  readonly #inErp = new Map<string, Set<number>>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Whether the notification of something that happens now is never sent. */
  loses(): boolean {
    const isLost = this.#random.chance(LOST_PERCENT);
    if (isLost) this.lost += 1;
    return isLost;
  }

  enteredOf(tenant: Tenant): readonly Entered[] {
    return this.#entered.get(tenant) ?? [];
  }

  enteredFor(tenant: Tenant, paymentId: string): Entered | undefined {
    return this.enteredOf(tenant).find((one) => one.paymentId === paymentId);
  }

  /** Enters a receipt of all that is owed in the ERP, and applies it. Throws where something was applied already. */
  enter(tenant: Tenant, part: Part, paymentId: string | null): Entered {
    const number = `HAND-${part.amountMinor}`;
    const amount = (part.amountMinor / 100).toFixed(2);
    tenant.erp.enterReceipt({ invoice: part.invoiceNumber, installment: part.sequence, amount, number });
    const entered = { part, number, paymentId };
    this.#entered.set(tenant, [...this.enteredOf(tenant), entered]);
    return entered;
  }

  /** In the ERP a debt under a live link is paid or disputed, while a customer has a checkout of the link open. */
  changeErp(tenant: Tenant, part: Part, linkId: string): void {
    const { stripe } = tenant;
    // Of a link that was made twice at the provider, the newest is withdrawn or about to be.
    const made = stripe.links.filter((link) => link.active && Object.values(link.metadata).includes(linkId));
    const [link] = made;
    if (link !== undefined) this.checkouts.push(stripe.open(link.id));
    if (this.#random.chance(60)) this.enter(tenant, part, null);
    else this.#disputeInErp(tenant, part);
    this.changes += 1;
  }

  /** A dispute stands until it is pulled, and for as long after: the ERP forgets none of its invoice's for a further one. */
  #disputeInErp(tenant: Tenant, part: Part): void {
    const disputed = this.#inErp.get(part.invoiceId) ?? new Set();
    this.#inErp.set(part.invoiceId, disputed.add(part.sequence));
    tenant.erp.putInvoices(disputedInvoice(tenant, part, disputed));
  }

  /** The customer's bank, or somebody at the provider, takes money back, or disputes a payment and decides later. */
  async takeBack({ stripe }: Tenant, intent: string): Promise<readonly number[]> {
    const lost = this.loses();
    const before = stripe.events.length;
    // Sent by hand: what its notification was answered is to be known.
    if (this.#random.chance(50)) {
      this.refunded.set(intent, (this.refunded.get(intent) ?? 0n) + 100n);
      await stripe.refund(intent, 100, { hold: true, lost });
    } else {
      const isOpen = this.disputed.get(intent) === true;
      const status = isOpen ? this.#random.pick(["won", "lost"] as const) : "needs_response";
      this.disputed.set(intent, status !== "won");
      await stripe.dispute(intent, status, { hold: true, lost });
    }
    if (lost) return [];
    const answers = await Promise.all(stripe.events.slice(before, before + 1).map((event) => stripe.deliver(event)));
    return answers.flat();
  }

  get note(): string {
    const byHand = [...this.#entered.values()].flat().filter(({ paymentId }) => paymentId !== null).length;
    return `${this.changes} changes in the ERP under live links, ${this.lost} lost notifications, ${this.refunded.size} payments refunded, ${this.disputed.size} disputed, ${byHand} receipts entered by hand`;
  }
}
