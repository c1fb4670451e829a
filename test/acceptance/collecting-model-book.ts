/** An installment: what the ERP has, and what of it the service has read. Amounts are minor units. */
export interface Part {
  readonly invoice: Invoice;
  readonly sequence: number;
  readonly dueDate: string;
  readonly original: bigint;
  readonly erp: { balance: bigint; disputed: boolean; excluded: boolean; closed: boolean; present: boolean };
  readonly seen: { balance: bigint; disputed: boolean; excluded: boolean; closed: boolean; removed: boolean };
  /** What was outstanding when a person last withdrew a link on it; null once somebody made one since. */
  withdrawn: bigint | null;
}

export interface Invoice {
  readonly name: string;
  readonly currency: string;
  readonly parts: Part[];
  readonly erp: { present: boolean; complete: boolean };
  readonly seen: { retired: boolean; complete: boolean; balance: bigint };
  tasks: ("open" | "configured" | "dismissed" | "not_needed")[];
}

export interface Link {
  readonly id: string;
  readonly reservation: Reservation;
  readonly part: Part;
  readonly amount: bigint;
  state: "reserved" | "active" | "paid" | "deactivated" | "withdrawn";
  paid: boolean;
}

/** The links of one request. */
export interface Reservation {
  readonly key: string;
  readonly asks: readonly Ask[];
  readonly createdAt: number;
  until: number;
}

export interface Payment {
  /** The provider's id of it. */
  readonly key: string;
  readonly id: string;
  readonly part: Part;
  readonly amount: bigint;
  readonly createdAt: number;
  /** What the ERP showed as owed when it was recorded. */
  readonly before: bigint;
  status: "held" | "pending" | "processing" | "posted" | "applied" | "failed" | "reversed";
  /** In the ERP, the one of this round; `known` to the service. */
  receipt: Receipt | null;
  round: number;
  known: boolean;
  /** A person says that the ERP's users entered it. */
  byHand: boolean;
  /** A person says that it is to be pushed whatever the ERP's balance shows. */
  anyway: boolean;
  appliedAt: number | null;
  reflected: boolean;
  reflectedAt: number | null;
  retryable: boolean;
  next: number | null;
  first: number | null;
  refunded: bigint;
  dispute: { at: number; closed: boolean; disputed: boolean } | null;
}

/** A receipt in the ERP. */
export interface Receipt {
  applied: boolean;
  reversed: boolean;
}

/** What needs a person (completions §12). */
export interface Concern {
  amount: bigint;
  /** Its payment is known. */
  known: boolean;
  resolved: boolean;
}

/** One link that is asked for; null for all that is available. */
export interface Ask {
  readonly part: Part;
  readonly amount: bigint | null;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SEVERITY = ["failed", "reversed", "pending", "processing", "posted", "applied"] as const;
const CHARGED = ["USD", "JPY"];
const ENDS_LINKS = ["retired", "removed", "closed", "excluded", "disputed", "nothing_outstanding"];

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const atLeastZero = (amount: bigint): bigint => (amount < 0n ? 0n : amount);

function invoice(name: string, currency: string, amounts: readonly bigint[]): Invoice {
  const made: Invoice = {
    name,
    currency,
    parts: [],
    erp: { present: true, complete: true },
    seen: { retired: false, complete: true, balance: sum(amounts) },
    tasks: [],
  };
  for (const [index, original] of amounts.entries()) {
    const facts = { balance: original, disputed: false, excluded: false, closed: false };
    made.parts.push({
      invoice: made,
      sequence: index + 1,
      dueDate: `2026-03-${10 + 7 * index}`,
      original,
      erp: { ...facts, present: true },
      seen: { ...facts, removed: false },
      withdrawn: null,
    });
  }
  return made;
}

/** What becomes of a reservation at the providers. */
export type Minting = "ok" | "unclear" | "refused";

/** The book as completions §4 to §7 would have it, kept beside the service's own; it knows no store. */
export class ModelBook {
  now: number;
  readonly invoices = [
    invoice("one", "USD", [100_000n]),
    invoice("two", "USD", [60_000n, 40_000n]),
    invoice("yen", "JPY", [50_000n, 30_000n]),
    invoice("euro", "EUR", [70_000n]),
  ];
  readonly links: Link[] = [];
  readonly payments: Payment[] = [];
  /** By kind and the provider's id of the payment. */
  readonly concerns = new Map<string, Concern>();
  /** Receipts in the ERP that are no payment's any more, or never were. */
  readonly otherReceipts: Receipt[] = [];
  pushMode: "automatic" | "held" = "automatic";
  /** The latest request whose end its caller was not told. */
  unanswered: Reservation | null = null;

  constructor(now: number) {
    this.now = now;
  }

  get parts(): Part[] {
    return this.invoices.flatMap(({ parts }) => parts);
  }

  /** What was paid on a removed installment settles the live ones, the first first. */
  outstanding(part: Part): bigint {
    const own = atLeastZero(part.seen.balance - this.#unread(part));
    if (part.seen.removed) return own;
    const { parts } = part.invoice;
    const removed = parts.filter(({ seen }) => seen.removed);
    const earlier = parts.filter(({ seen, sequence }) => !seen.removed && sequence < part.sequence);
    const astray = sum(removed.map((one) => this.#unread(one)));
    const gone = sum(earlier.map((one) => atLeastZero(one.seen.balance - this.#unread(one))));
    return atLeastZero(own - atLeastZero(astray - gone));
  }

  /** What was paid on an installment and the ERP's balance does not include. */
  #unread(part: Part): bigint {
    const unread = this.payments.filter((one) => one.part === part && !(one.reflected && one.status !== "reversed"));
    return sum(unread.map((one) => one.amount));
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
    return CHARGED.includes(own.currency) ? null : "currency_not_supported";
  }

  /** What live links ask for, those being made too. */
  live(part: Part): bigint {
    return sum(this.#liveLinks(part).map((link) => link.amount));
  }

  available(part: Part): bigint {
    return atLeastZero(this.outstanding(part) - this.live(part));
  }

  figures(own: Invoice) {
    const payments = this.payments.filter((one) => one.part.invoice === own);
    const outstanding = sum(own.parts.filter(({ seen }) => !seen.removed).map((part) => this.outstanding(part)));
    const collected = sum(payments.map((one) => one.amount));
    const collectible = own.parts.filter((part) => this.reason(part) === null);
    const status =
      collected > 0n && outstanding === 0n
        ? ("paid" as const)
        : collectible.length > 0
          ? ("open" as const)
          : ("inactive" as const);
    const states = new Set(payments.map((one) => (one.status === "held" ? "pending" : one.status)));
    return {
      status,
      outstanding,
      collected,
      dueDate: collectible.map((part) => part.dueDate).sort()[0] ?? null,
      pushState: SEVERITY.find((state) => states.has(state)) ?? null,
      held: payments.some((one) => one.status === "held"),
      activeLink: this.links.some((link) => link.part.invoice === own && link.state === "active"),
      balance: own.seen.balance,
    };
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
    return { key, asks, createdAt: this.now, until: this.now + 2 * MINUTE };
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
    if (links.some(({ part }) => this.live(part) > this.outstanding(part))) return "conflict";
    const reasons = links.filter(({ paid }) => !paid).map(({ part }) => this.reason(part));
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
      reservation.until = this.now + 2 * MINUTE;
      const forgotten = reservation.createdAt <= this.now - 20 * HOUR;
      this.settle(reservation, forgotten ? "refused" : minting(reservation));
    }
  }

  /** What a customer paid; again, nothing. `id` is the service's, which orders pushes of one moment. */
  pay(key: string, id: string, link: Link): void {
    if (this.payments.some((one) => one.key === key)) return;
    const { part, amount } = link;
    const over = amount - this.#owedFor(part);
    const refund = this.concerns.get(`payment_refunded ${key}`);
    this.payments.push({
      ...{ key, id, part, amount, createdAt: this.now, before: part.seen.balance },
      ...{ status: this.pushMode === "held" ? "held" : "pending", receipt: null, round: 1, known: false },
      ...{ byHand: false, anyway: false, appliedAt: null, reflected: false, reflectedAt: null },
      ...{ retryable: false, next: null, first: null, refunded: refund?.amount ?? 0n, dispute: null },
    });
    if (refund !== undefined) refund.known = true;
    if (over > 0n) this.concerns.set(`payment_over_owed ${key}`, { amount: over, known: true, resolved: false });
    if (link.state === "active" || link.state === "reserved") link.paid = true;
    if (link.state === "active") link.state = "paid";
    this.withdrawBeyondDebt();
  }

  /** So much of a payment was refunded so far; what is told late says less. */
  refund(key: string, total: bigint): void {
    const payment = this.payments.find((one) => one.key === key);
    const name = `payment_refunded ${key}`;
    if (total <= (payment?.refunded ?? this.concerns.get(name)?.amount ?? 0n)) return;
    if (payment !== undefined) payment.refunded = total;
    this.concerns.set(name, { amount: total, known: payment !== undefined, resolved: false });
  }

  /** How a payment's dispute stands; of two in one second, the bank's decision came last. */
  disputed(key: string, told: NonNullable<Payment["dispute"]>, amount: bigint): void {
    const payment = this.payments.find((one) => one.key === key);
    const { dispute: last = null } = payment ?? {};
    if (payment === undefined) return;
    if (last !== null && (last.closed || told.at < last.at)) return;
    payment.dispute = told;
    const name = `payment_disputed ${key}`;
    const concern = this.concerns.get(name);
    if (told.disputed) this.concerns.set(name, { amount, known: true, resolved: false });
    else if (concern !== undefined) concern.resolved = true;
  }

  /** What is owed on what a payment settles: its installment, or those the ERP put in its place. */
  #owedFor(part: Part): bigint {
    if (part.invoice.seen.retired) return 0n;
    const settled = part.seen.removed ? part.invoice.parts.filter(({ seen }) => !seen.removed) : [part];
    return sum(settled.map((one) => this.outstanding(one)));
  }

  /** Links that ask for more than is owed, or on what the ERP does not let be collected (completions §12). */
  withdrawBeyondDebt(): void {
    for (const part of this.parts) {
      const ended = ENDS_LINKS.includes(this.reason(part) ?? "");
      let left = ended ? 0n : this.outstanding(part);
      const active = this.#liveLinks(part).filter(({ state }) => state === "active");
      active.sort((a, b) => a.reservation.createdAt - b.reservation.createdAt || (a.id < b.id ? -1 : 1));
      for (const link of active) {
        if (link.amount <= left) left -= link.amount;
        else link.state = "deactivated";
      }
    }
  }

  /** Ends the tasks that nobody needs (service.md §3.4). */
  endTasks(): void {
    for (const own of this.invoices) {
      const owes = own.parts.some(({ seen }) => !seen.removed && seen.balance > 0n);
      if (own.seen.retired || !owes) own.tasks = own.tasks.map(() => "not_needed");
    }
  }

  #liveLinks(part: Part): Link[] {
    return this.links.filter(
      (link) => link.part === part && !link.paid && (link.state === "active" || link.state === "reserved"),
    );
  }
}
