import type { PaymentEvent, UnreadableEvent } from "./events.ts";

/**
 * What the service needs of a payment provider, in the service's own words (completions §7). Amounts are integers in the
 * ISO 4217 minor unit of their currency, currencies are ISO codes in capitals; what a provider counts otherwise is
 * converted in its connector. Every call rejects with a {@link PaymentProviderError}.
 */
export interface PaymentGateway {
  readonly provider: PaymentProvider;

  /** Whether the credentials move real money; null where they do not tell, as of a secret key that is forgotten. */
  readonly livemode: boolean | null;

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

  /** Links made for these ids, newest first, maybe several of one; not `complete` where the provider has too many. */
  findLinks(linkIds: ReadonlySet<string>): Promise<FoundLinks>;

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
  readEvents(request: EventRequest): AsyncIterable<PaymentEvent | UnreadableEvent>;

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

interface EventRequest {
  /** ISO 8601 UTC, inclusive. */
  readonly since: string;
  readonly signal?: AbortSignal | undefined;
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
export function mintKey(linkId: string, round = 1): string {
  return `payment-link/${linkId}/${round}`;
}
