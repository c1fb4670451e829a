import { OutsideError } from "../outside-error.ts";

/**
 * What the service needs of a payment provider, in the service's own words (completions §7). Amounts are integers in the
 * ISO 4217 minor unit of their currency, currencies are ISO codes in capitals; what a provider counts otherwise is
 * converted in its connector. Every call rejects with a {@link PaymentProviderError}.
 */
export interface PaymentGateway {
  /** What an amount has to be a multiple of, in minor units (mostly 1); null for a currency that cannot be charged. */
  chargeStep(currency: string): bigint | null;

  /**
   * Makes a link for exactly this amount, that can be paid once. The same request with the same key again answers the
   * same link instead of making another, for as long as the provider remembers the key (a day at least), so that a
   * request of unknown outcome is finished by repeating it. What it answers then is what was answered first: a link that
   * was deactivated meanwhile still reads active.
   */
  mintLink(request: LinkRequest): Promise<ProviderLink>;

  /** Withdraws a link and expires its open checkouts, repeatably; a payment made meanwhile is told of. */
  deactivateLink(providerLinkId: string): Promise<void>;

  /** Links made for this id, newest first, maybe several; not `complete` where the provider has too many. */
  findLinks(linkId: string): Promise<FoundLinks>;

  /**
   * What a notification says, once its signature is proved to be the provider's. `rawBody` is the body byte for byte.
   * Throws kind `signature_invalid`, and `rejected` for a genuine notification that cannot be understood.
   */
  verifyEvents(rawBody: Buffer, signature: string | undefined): PaymentEvent[];

  /**
   * The provider's own list of events, of the types that `verifyEvents` understands, from an instant on, oldest first. A
   * provider keeps them for a while only (Stripe: 30 days), and may show one some minutes after it happened. Ends early, by
   * throwing the signal's reason, once it is aborted.
   */
  readEvents(request: EventsAsked): AsyncIterable<PaymentEvent | UnreadableEvent>;

  /** Asks the provider who the credentials belong to and what that account can charge. */
  checkAccount(): Promise<ProviderAccount>;
}

/** The providers there is a connector for; the names of completions §4, payment integration. */
export type PaymentProvider = "stripe" | "sandbox";

export interface LinkRequest {
  /** The service's own id of the link, a UUID. It comes back with every event of the link. */
  readonly linkId: string;
  /** Above zero. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** What the customer reads that they pay for. A repeated request has to carry the same. */
  readonly description: string;
  /** See {@link mintKey}. */
  readonly idempotencyKey: string;
}

/** A link as the provider has it. */
export interface ProviderLink {
  readonly linkId: string;
  readonly providerLinkId: string;
  /** The page the customer pays at. */
  readonly url: string;
  readonly active: boolean;
}

export interface FoundLinks {
  readonly links: readonly ProviderLink[];
  readonly complete: boolean;
}

export interface EventsAsked {
  /** ISO 8601 UTC, inclusive. */
  readonly since: string;
  readonly signal?: AbortSignal | undefined;
  /** After each page, of which many may come before the first event. */
  readonly onPage?: () => Promise<void>;
}

export interface ProviderAccount {
  readonly accountId: string;
  /** Real money moves; null where the provider does not tell. */
  readonly livemode: boolean | null;
  /** The account may charge now; a provider may withhold that until papers are in order. */
  readonly chargesEnabled: boolean;
  /** Sorted; null when any currency can be charged. */
  readonly currencies: readonly string[] | null;
}

/**
 * The idempotency key a link is minted with: the same for every attempt, so that no crash or timeout makes two. A provider
 * that failed may answer that failure to the key for a day ({@link PaymentProviderError.replayed}); once `findLinks`
 * found nothing, a higher `round` starts afresh.
 */
export function mintKey(linkId: string, round = 1) {
  return `payment-link/${linkId}/${round}`;
}

/** What every notification of a provider has. A provider may send one several times, late, and in any order. */
interface ProviderEvent {
  /** The provider's id of this notification; a duplicate has the same. */
  readonly providerEventId: string;
  /** When it happened at the provider, ISO 8601 UTC. */
  readonly occurredAt: string;
  /** It is about real money, not a test. */
  readonly livemode: boolean;
}

/** Which link an event is about: at least one of the two is known. A link id is not proved to be one of the service's. */
interface OfLink {
  /** The service's own id, as given to `mintLink`. */
  readonly linkId: string | null;
  readonly providerLinkId: string | null;
}

/** Money was taken. Several events may confirm one `providerPaymentId`: the payment counts once. */
export interface PaymentConfirmed extends ProviderEvent, OfLink {
  readonly type: "payment_confirmed";
  readonly providerPaymentId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** A payment that was under way (a bank debit) failed in the end: nothing was taken. */
export interface PaymentFailed extends ProviderEvent, OfLink {
  readonly type: "payment_failed";
  /** The link's one completion is used up: nobody can pay by it any more. */
  readonly linkSpent: boolean;
  readonly providerPaymentId: string | null;
}

/** For people's information: the service never moves money back, and a refund changes none of its figures. */
export interface PaymentRefunded extends ProviderEvent {
  readonly type: "payment_refunded";
  readonly providerPaymentId: string;
  readonly linkId: string | null;
  /** All refunds of the payment so far, less those that had failed by then. */
  readonly refundedMinor: bigint;
  readonly currency: string;
}

/** A refund came to nothing: its money is back in the account. Several events may tell of one `refundId`. */
export interface RefundFailed extends ProviderEvent {
  readonly type: "refund_failed";
  readonly refundId: string;
  readonly providerPaymentId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** For people's information: the customer's bank disputes the payment, or has decided. */
export interface PaymentDisputed extends ProviderEvent {
  readonly type: "payment_disputed";
  readonly providerPaymentId: string;
  /** The money is disputed, or lost; false once the dispute was won or withdrawn. */
  readonly disputed: boolean;
  /** The bank has decided. */
  readonly closed: boolean;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** Somebody switched a link on or off, maybe at the provider itself. */
export interface LinkChanged extends ProviderEvent, OfLink {
  readonly type: "link_changed";
  readonly providerLinkId: string;
  readonly active: boolean;
}

/** Nothing to the service. */
interface IgnoredEvent extends ProviderEvent {
  readonly type: "ignored";
}

/** An entry of the provider's list of events that cannot be understood; `reason` is for the log. */
export interface UnreadableEvent extends Pick<ProviderEvent, "providerEventId"> {
  readonly type: "unreadable";
  /** Null where that cannot be understood either. */
  readonly occurredAt: string | null;
  readonly reason: string;
}

/** A provider's notification in the service's words. */
export type PaymentEvent =
  | PaymentConfirmed
  | PaymentFailed
  | PaymentRefunded
  | RefundFailed
  | PaymentDisputed
  | LinkChanged
  | IgnoredEvent;

/**
 * Why a payment provider did not do what was asked.
 * - `authentication_failed`: it refused the credentials (or what they may do); a person has to act.
 * - `unreachable`: no answer, too late, too busy or failing; the same request may go well later.
 * - `currency_not_supported`, `amount_too_small`, `amount_too_large`: this cannot be charged.
 * - `amount_not_expressible`: the provider's smallest unit is coarser than the amount (`chargeStep`).
 * - `not_found`: it has no such link.
 * - `idempotency_conflict`: the key was used for another request.
 * - `signature_invalid`: a notification that is not proved to be the provider's, or is too old.
 * - `rejected`: anything else it said no to, or answered in a way that cannot be used.
 */
export type PaymentProviderErrorKind =
  | "authentication_failed"
  | "unreachable"
  | "currency_not_supported"
  | "amount_too_small"
  | "amount_too_large"
  | "amount_not_expressible"
  | "not_found"
  | "idempotency_conflict"
  | "signature_invalid"
  | "rejected";

interface Details {
  readonly detail?: string;
  readonly effectUnknown?: boolean;
  readonly replayed?: boolean;
}

/** A failed call to a payment provider. */
export class PaymentProviderError extends OutsideError<PaymentProviderErrorKind> {
  override readonly name = "PaymentProviderError";
  /** True when the provider may have done it all the same; false when it certainly did not. */
  readonly effectUnknown: boolean;
  /** True when this is the provider's stored answer to an earlier attempt: the same key will get it again. */
  readonly replayed: boolean;

  constructor(kind: PaymentProviderErrorKind, publicMessage: string, details: Details = {}) {
    super(kind, publicMessage, details.detail);
    this.effectUnknown = details.effectUnknown ?? false;
    this.replayed = details.replayed ?? false;
  }
}
