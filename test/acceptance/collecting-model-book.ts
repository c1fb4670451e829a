import {
  type Ask,
  atLeastZero,
  type Concern,
  type Invoice,
  invoice,
  type Link,
  type Part,
  type Payment,
  type Receipt,
  type Reservation,
  sum,
} from "./collecting-model-facts.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CHARGED = ["USD", "JPY"];
const ENDS_LINKS = ["retired", "removed", "closed", "excluded", "disputed", "nothing_outstanding"];

/** At first. */
export const MAILED = "ap@globex.example";

/** Whether a link asks in another currency than its debt is in, as far as the service has read. */
export const isInOther = ({ currency, part }: Link): boolean => currency !== part.invoice.seen.currency;

/** What becomes of a reservation at the providers. */
export type Minting = "ok" | "unclear" | "refused";

/** The book as completions §4 to §7 would have it, kept beside the service's own; it knows no store. */
export class ModelBook {
  now: number;
  /** Of the ERP. */
  readonly billed: readonly Invoice[];
  /** Made in the service, the latest last. */
  readonly locals: Invoice[] = [];
  readonly links: Link[] = [];
  readonly payments: Payment[] = [];
  /** By kind and the provider's id of the payment. */
  readonly concerns = new Map<string, Concern>();
  /** Receipts in the ERP that are no payment's any more, or never were. */
  readonly otherReceipts: Receipt[] = [];
  /** The customer's billing email: in the ERP, as it was last read, and the workspace's own, which wins. */
  readonly address: { erp: string; seen: string; own: string | null } = { erp: MAILED, seen: MAILED, own: null };
  pushMode: "automatic" | "held" = "automatic";
  /** The latest request whose end its caller was not told. */
  unanswered: Reservation | null = null;

  constructor(now: number) {
    this.now = now;
    this.billed = [
      invoice("one", "USD", [100_000n], now),
      invoice("two", "USD", [60_000n, 40_000n], now),
      invoice("yen", "JPY", [50_000n, 30_000n], now),
      invoice("euro", "EUR", [70_000n], now),
    ];
  }

  /** The ERP's last, each in its place from the end. */
  get invoices(): Invoice[] {
    return [...this.locals, ...this.billed];
  }

  get parts(): Part[] {
    return this.invoices.flatMap(({ parts }) => parts);
  }

  /** What was paid on a removed installment, or came another way, settles the live ones, the first first. */
  outstanding(part: Part): bigint {
    const { local } = part.invoice;
    if (local?.voided === true) return 0n;
    const own = atLeastZero(part.seen.balance - this.#unread(part));
    if (part.seen.removed) return own;
    const { parts } = part.invoice;
    const removed = parts.filter(({ seen }) => seen.removed);
    const earlier = parts.filter(({ seen, sequence }) => !seen.removed && sequence < part.sequence);
    const astray = sum(removed.map((one) => this.#unread(one))) + (local?.settled ?? 0n);
    const gone = sum(earlier.map((one) => atLeastZero(one.seen.balance - this.#unread(one))));
    return atLeastZero(own - atLeastZero(astray - gone));
  }

  /** What was paid on an installment and the ERP's balance does not include. */
  #unread(part: Part): bigint {
    const own = this.payments.filter((one) => one.part === part && one.currency === part.invoice.seen.currency);
    return sum(own.filter((one) => !one.reflected || one.status === "reversed").map((one) => one.amount));
  }

  reason(part: Part): string | null {
    const { seen, invoice: own } = part;
    if (own.seen.retired) return "retired";
    if (seen.removed) return "removed";
    if (!own.seen.complete) return "not_finalised";
    if (seen.closed) return "closed";
    if (seen.excluded) return "excluded";
    if (seen.disputed) return "disputed";
    if (this.outstanding(part) === 0n) return "nothing_outstanding";
    return CHARGED.includes(own.seen.currency) ? null : "currency_not_supported";
  }

  /** What live links ask for, those being made too. */
  live(part: Part): bigint {
    return sum(this.#liveLinks(part).map((link) => link.amount));
  }

  available(part: Part): bigint {
    return atLeastZero(this.outstanding(part) - this.live(part));
  }

  /** The code a request is refused with (completions §9), or what each of its links asks for. */
  allot(asks: readonly Ask[]): string | bigint[] {
    const taken = new Map<Part, bigint>();
    const amounts: bigint[] = [];
    let refusal: string | null = null;
    for (const { part, amount } of asks) {
      const reason = this.reason(part);
      const left = this.outstanding(part) - this.live(part) - (taken.get(part) ?? 0n);
      const code =
        reason === "currency_not_supported"
          ? reason
          : reason !== null
            ? "installment_not_collectible"
            : left <= 0n
              ? "conflict"
              : amount !== null && amount > left
                ? "amount_exceeds_available"
                : null;
      refusal ??= code;
      if (code !== null) continue;
      amounts.push(amount ?? left);
      taken.set(part, (taken.get(part) ?? 0n) + (amount ?? left));
    }
    return refusal ?? amounts;
  }

  reserve(key: string, asks: readonly Ask[]): Reservation {
    return { key, asks, createdAt: this.now, until: this.now + 2 * MINUTE, attempts: 0 };
  }

  linksOf(reservation: Reservation): Link[] {
    return this.links.filter((link) => link.reservation === reservation);
  }

  /** Reservations nobody knows the end of. */
  get hanging(): Reservation[] {
    return [...new Set(this.links.filter(({ state }) => state === "reserved").map(({ reservation }) => reservation))];
  }

  /** The code a reservation cannot be confirmed with any more; null when it can be. */
  overtaken(reservation: Reservation): string | null {
    const links = this.linksOf(reservation).filter(({ state }) => state === "reserved");
    const unpaid = links.filter(({ paid }) => !paid);
    if (unpaid.some(isInOther) || links.some(({ part }) => this.live(part) > this.outstanding(part))) return "conflict";
    const reasons = unpaid.map(({ part }) => this.reason(part));
    return reasons.some((reason) => reason !== null && reason !== "currency_not_supported")
      ? "installment_not_collectible"
      : null;
  }

  /** Ends a reservation as the providers had it; false when it came to nothing. */
  settle(reservation: Reservation, minting: Minting): boolean {
    if (minting === "unclear") return false;
    const links = this.linksOf(reservation).filter(({ state }) => state === "reserved");
    const made = minting === "ok" && this.overtaken(reservation) === null;
    for (const link of links) {
      link.state = !made ? "withdrawn" : link.paid ? "paid" : "active";
      if (made) {
        const { invoice: own } = link.part;
        link.part.withdrawn = null;
        own.tasks = own.tasks.map((task) => (task === "open" ? "configured" : task));
      }
    }
    return made;
  }

  /** A pass of the reconciler. */
  reconcile(minting: (reservation: Reservation) => Minting): void {
    for (const reservation of this.hanging) {
      if (reservation.until > this.now) continue;
      // A pass without an answer is repeated after a second, then after twice as long each time.
      reservation.until = this.now + Math.min(5 * MINUTE, SECOND * 2 ** reservation.attempts);
      reservation.attempts += 1;
      const forgotten = reservation.createdAt <= this.now - 20 * HOUR;
      this.settle(reservation, forgotten ? "refused" : minting(reservation));
    }
  }

  /** What a customer paid, and when; again, nothing. `id` is the service's, which orders pushes of one moment. */
  pay(key: string, id: string, link: Link, paidAt: number): void {
    if (this.payments.some((one) => one.key === key)) return;
    const { part, amount, currency } = link;
    const owed = this.#owed(part.invoice);
    const live = part.invoice.parts.filter(({ seen }) => !seen.removed);
    const paid = this.payments.filter((one) => one.part.invoice === part.invoice && one.currency === currency);
    const refund = this.concerns.get(`payment_refunded ${key}`);
    this.payments.push({
      ...{ key, id, part, amount, currency, paidAt, createdAt: this.now },
      otherwise: sum(live.map((one) => one.original - this.outstanding(one))) - sum(paid.map((one) => one.amount)),
      ...{ before: part.seen.balance, readAt: part.invoice.seen.changedAt },
      status: part.invoice.local !== null ? "none" : this.pushMode === "held" ? "held" : "pending",
      ...{ receipt: null, round: 1, known: false },
      ...{ byHand: false, anyway: false, appliedAt: null, reflected: false, reflectedAt: null },
      ...{ retryable: false, next: null, first: null, refunded: refund?.amount ?? 0n, dispute: null },
    });
    if (refund !== undefined) refund.known = true;
    for (const [name, concern] of this.concerns)
      if (name.startsWith("refund_failed") && concern.key === key) concern.known = true;
    Object.assign(this.concerns.get(`payment_in_other_currency ${key}`) ?? {}, { amount: 0n, resolved: true });
    const over = amount - (owed - this.#owed(part.invoice));
    if (over > 0n) this.concerns.set(`payment_over_owed ${key}`, { amount: over, known: true, resolved: false });
    if (link.state === "active" || link.state === "reserved") link.paid = true;
    if (link.state === "active") link.state = "paid";
    this.withdrawBeyondDebt();
  }

  /** What is owed on an invoice, whole: nothing where the ERP no longer has it. */
  #owed({ seen, parts }: Invoice): bigint {
    return seen.retired ? 0n : sum(parts.map((one) => (one.seen.removed ? 0n : this.outstanding(one))));
  }

  /** Links that ask for more than is owed, or on what the ERP does not let be collected (completions §12). */
  withdrawBeyondDebt(): void {
    for (const part of this.parts) {
      const ended = ENDS_LINKS.includes(this.reason(part) ?? "");
      let left = ended ? 0n : this.outstanding(part);
      const active = this.#liveLinks(part).filter(({ state }) => state === "active");
      active.sort((a, b) => a.reservation.createdAt - b.reservation.createdAt || (a.id < b.id ? -1 : 1));
      for (const link of active) {
        if (link.amount <= left && !isInOther(link)) left -= link.amount;
        else link.state = "deactivated";
      }
    }
  }

  /** Ends the tasks that nobody needs (service.md §3.4). */
  endTasks(): void {
    for (const own of this.invoices) {
      const { local, parts, seen } = own;
      const billed = sum(parts.map((part) => (part.seen.removed ? 0n : part.seen.balance)));
      const elsewhere = local?.settled ?? 0n;
      const isOver = local === null ? billed === 0n : local.voided || (elsewhere > 0n && elsewhere >= billed);
      if (seen.retired || isOver) own.tasks = own.tasks.map(() => "not_needed");
    }
  }

  #liveLinks(part: Part): Link[] {
    return this.links.filter(
      (link) => link.part === part && !link.paid && (link.state === "active" || link.state === "reserved"),
    );
  }
}
