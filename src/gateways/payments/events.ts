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
  /** The provider's word for how the dispute stands, such as `needs_response`, `won`, `lost`. */
  readonly status: string;
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

/** Nothing to the service; `reason` is for the log. */
interface IgnoredEvent extends ProviderEvent {
  readonly type: "ignored";
  readonly reason: string;
}

/** An entry of the provider's list of events that cannot be understood; `reason` is for the log. */
export interface UnreadableEvent extends Omit<ProviderEvent, "livemode"> {
  readonly type: "unreadable";
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
