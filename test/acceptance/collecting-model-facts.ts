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
  /** At first; any other has as many digits. */
  readonly currency: string;
  readonly parts: Part[];
  /** Of one made in the service, which the ERP knows nothing of: what a person did to it. Else null. */
  readonly local: { voided: boolean; settled: bigint } | null;
  readonly erp: { present: boolean; complete: boolean; readable: boolean; currency: string };
  /** Last read at all, and last read with something new; of a retired one both are when it was last read. */
  readonly seen: Record<"retired" | "complete" | "setAside", boolean> & {
    /** The billing email that it was last read with; null as long as that is the customer's. */
    email: string | null;
    currency: string;
    balance: bigint;
    readAt: number;
    changedAt: number;
  };
  tasks: ("open" | "configured" | "dismissed" | "not_needed")[];
}

export interface Link {
  readonly id: string;
  readonly reservation: Reservation;
  readonly part: Part;
  readonly amount: bigint;
  readonly currency: string;
  state: "reserved" | "active" | "paid" | "deactivated" | "withdrawn";
  paid: boolean;
  /** Null where no workflow mails it. */
  email: LinkEmail | null;
}

/** A link's email; `to` is whom it was last sent to, without success where it failed. */
export interface LinkEmail {
  status: "scheduled" | "sent" | "cancelled" | "failed";
  sendAt: number;
  to: string;
  sentAt: number | null;
  /** Cancelled as it was due, for as long as its link cannot be mailed. */
  waits?: boolean;
}

/** The links of one request. */
export interface Reservation {
  readonly key: string;
  readonly asks: readonly Ask[];
  readonly createdAt: number;
  /** Until then nobody else takes it up. */
  until: number;
  /** Passes of the reconciler over it. */
  attempts: number;
}

export interface Payment {
  /** The provider's id of it. */
  readonly key: string;
  readonly id: string;
  readonly part: Part;
  readonly amount: bigint;
  readonly currency: string;
  /** By the provider. */
  readonly paidAt: number;
  readonly createdAt: number;
  /** What its invoice was for when it was recorded, less what was collected and owed then. */
  readonly otherwise: bigint;
  /** What the ERP showed as owed when it was recorded, and when that was read. */
  readonly before: bigint;
  readonly readAt: number;
  /** `none` on an invoice of the service's own, whose payments no ERP is told of. */
  status: "none" | "held" | "pending" | "processing" | "posted" | "applied" | "failed" | "reversed";
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
  /** Of one that an ERP's user entered: its number and its currency. */
  readonly byHand?: { readonly number: string; readonly currency: string };
}

/** What needs a person (completions §12). */
export interface Concern {
  amount: bigint;
  /** Its payment is known. */
  known: boolean;
  resolved: boolean;
  /** Of a refund: when, and of which payment. */
  at?: number;
  key?: string;
}

/** One link that is asked for; null for all that is available. */
export interface Ask {
  readonly part: Part;
  readonly amount: bigint | null;
}

export const atLeastZero = (amount: bigint): bigint => (amount < 0n ? 0n : amount);

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

const CLEAR = { disputed: false, excluded: false, closed: false };

/** A part as a person has put it into an invoice of the service's own. */
export const localPart = (invoice: Invoice, index: number, amount: bigint): Part => ({
  ...{ invoice, sequence: index + 1, dueDate: dueDateOf(index), original: amount, withdrawn: null },
  erp: { ...CLEAR, balance: 0n, present: false },
  seen: { ...CLEAR, balance: amount, removed: false },
});

/** One that a person made. */
export function localInvoice(name: string, amounts: readonly bigint[], madeAt: number): Invoice {
  const made: Invoice = { ...invoice(name, "USD", [], madeAt), local: { voided: false, settled: 0n } };
  made.erp.present = false;
  made.parts.push(...amounts.map((amount, index) => localPart(made, index, amount)));
  return made;
}

/** Of the part in a place, from 0. */
export const dueDateOf = (index: number): string => `2026-03-${10 + 7 * index}`;

/** Minor units of a currency that has a hundred of them. */
export const inHundredths = (amount: bigint): string => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;

/** As the ERP has it and as the service has read it at `readAt`. */
export function invoice(name: string, currency: string, amounts: readonly bigint[], readAt: number): Invoice {
  const made: Invoice = {
    name,
    currency,
    parts: [],
    local: null,
    erp: { present: true, complete: true, readable: true, currency },
    seen: {
      retired: false,
      setAside: false,
      complete: true,
      currency,
      balance: sum(amounts),
      readAt,
      changedAt: readAt,
      email: null,
    },
    tasks: [],
  };
  for (const [index, original] of amounts.entries()) {
    const facts = { ...CLEAR, balance: original };
    made.parts.push({
      invoice: made,
      sequence: index + 1,
      dueDate: dueDateOf(index),
      original,
      erp: { ...facts, present: true },
      seen: { ...facts, removed: false },
      withdrawn: null,
    });
  }
  return made;
}
