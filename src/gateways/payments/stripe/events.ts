import { setTimeout as sleep } from "node:timers/promises";
import type Stripe from "stripe";
import { z } from "zod";
import { UUID } from "../../../uuid.ts";
import { type EventsAsked, type PaymentEvent, PaymentProviderError, type UnreadableEvent } from "../gateway.ts";
import { fromStripeAmount } from "./currencies.ts";

/** Where the service's link id stands in the metadata of links, checkout sessions, payment intents and charges. */
export const LINK_ID = "receivables_link_id";

/** Stripe promises 255 characters at most; files and pages show them. */
const Id = z.string().regex(/^[!-~]{1,255}$/);

/** An object of Stripe's stands as its id, or in full. */
const Named = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]);

const Metadata = z
  .record(z.string(), z.string())
  .nullish()
  .transform((metadata) => {
    const linkId = metadata?.[LINK_ID];
    return linkId !== undefined && UUID.test(linkId) ? linkId : null;
  });

const Amount = z.int().min(0).transform(BigInt);

const Session = z
  .object({
    payment_status: z.string(),
    payment_link: Named.nullish(),
    payment_intent: Named.nullish(),
    amount_total: Amount.nullish(),
    currency: z.string().nullish(),
    metadata: Metadata,
  })
  .transform(({ metadata, payment_link, ...session }) => ({
    ...session,
    link: { linkId: metadata, providerLinkId: payment_link ?? null },
  }));

const PaymentIntent = z.object({ id: Id, amount_received: Amount, currency: z.string(), metadata: Metadata });

const Charge = z.object({
  payment_intent: Named.nullish(),
  amount_refunded: Amount,
  currency: z.string(),
  metadata: Metadata,
});

const Refund = z.object({
  id: Id,
  payment_intent: Named.nullish(),
  amount: Amount,
  currency: z.string(),
  status: z.string().nullish(),
});

const Dispute = z.object({ payment_intent: Named.nullish(), amount: Amount, currency: z.string(), status: z.string() });

const PaymentLink = z.object({ id: Id, active: z.boolean(), metadata: Metadata });

/** In seconds since 1970, up to the year 9999: no instant of ours is later. */
const Created = z
  .int()
  .min(0)
  .max(253_402_300_799)
  .transform((seconds) => new Date(seconds * 1000).toISOString());

const Envelope = z.object({
  id: Id,
  type: z.string(),
  created: Created,
  livemode: z.boolean(),
  account: z.string().nullish(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
});

type Origin = Pick<PaymentEvent, "providerEventId" | "occurredAt" | "livemode">;
/** What an event says beside its {@link Origin}. */
type Said<E = PaymentEvent> = E extends PaymentEvent ? Omit<E, keyof Origin> : never;

/** How the object of an event is read: what it says, or null where it is nothing to the service. */
function reading<T>(schema: z.ZodType<T>, read: (object: T) => Said | null) {
  return (object: unknown) => read(schema.parse(object));
}

const paidBySession = reading(Session, ({ payment_status, link, payment_intent, amount_total, currency }) => {
  if (payment_status !== "paid" || isStranger(link)) return null;
  // What the account sells by a payment link of its own, such as a subscription, makes no payment of the session's.
  if (payment_intent == null && link.linkId === null) return null;
  if (payment_intent == null || amount_total == null || currency == null)
    throw new PaymentProviderError("rejected", "Stripe's notification of a payment is incomplete.");
  const taken = fromStripeAmount(amount_total, currency);
  return { type: "payment_confirmed", ...link, providerPaymentId: payment_intent, ...taken };
});

const refundEnded = reading(Refund, ({ id: refundId, payment_intent, amount, currency, status }) => {
  if ((status !== "failed" && status !== "canceled") || payment_intent == null) return null;
  const failed = fromStripeAmount(amount, currency);
  return { type: "refund_failed", refundId, providerPaymentId: payment_intent, ...failed };
});

/** Stripe's words for a dispute that took, or takes, nothing from the account. */
const NOT_DISPUTED = new Set(["won", "warning_closed", "prevented"]);
const CLOSED = new Set([...NOT_DISPUTED, "lost"]);

const disputed = reading(Dispute, ({ payment_intent, amount, currency, status }) => {
  if (payment_intent == null) return null;
  return {
    type: "payment_disputed",
    providerPaymentId: payment_intent,
    disputed: !NOT_DISPUTED.has(status),
    closed: CLOSED.has(status),
    ...fromStripeAmount(amount, currency),
  };
});

/** What each type of event means; every other type is ignored. */
const READERS: Readonly<Record<string, ReturnType<typeof reading>>> = {
  "checkout.session.completed": paidBySession,
  "checkout.session.async_payment_succeeded": paidBySession,
  "checkout.session.async_payment_failed": reading(Session, ({ link, payment_intent: providerPaymentId = null }) =>
    isStranger(link) ? null : { type: "payment_failed", ...link, linkSpent: true, providerPaymentId },
  ),
  "payment_intent.succeeded": reading(PaymentIntent, ({ id, amount_received, currency, metadata: linkId }) => {
    const link = { linkId, providerLinkId: null };
    if (isStranger(link)) return null;
    const taken = fromStripeAmount(amount_received, currency);
    return { type: "payment_confirmed", ...link, providerPaymentId: id, ...taken };
  }),
  "charge.refunded": reading(Charge, ({ payment_intent, amount_refunded, currency: counted, metadata: linkId }) => {
    if (payment_intent == null) return null;
    const { amountMinor: refundedMinor, currency } = fromStripeAmount(amount_refunded, counted);
    return { type: "payment_refunded", providerPaymentId: payment_intent, linkId, refundedMinor, currency };
  }),
  "refund.failed": refundEnded,
  "refund.updated": refundEnded,
  // What refunds by card sent before the two above were there; one that failed is told of once however often it is told.
  "charge.refund.updated": refundEnded,
  "charge.dispute.created": disputed,
  "charge.dispute.updated": disputed,
  "charge.dispute.closed": disputed,
  "payment_link.updated": reading(PaymentLink, ({ id: providerLinkId, active, metadata: linkId }) => ({
    type: "link_changed",
    linkId,
    providerLinkId,
    active,
  })),
};

/** The types of events that a webhook endpoint for the service sends. */
export const STRIPE_EVENT_TYPES: readonly string[] = Object.keys(READERS);

/** A verified notification in the service's words. Throws `rejected`, and what {@link fromStripeAmount} throws. */
export function readEvent(notification: unknown): PaymentEvent {
  try {
    const { id: providerEventId, created: occurredAt, livemode, ...event } = Envelope.parse(notification);
    const origin = { providerEventId, occurredAt, livemode };
    const isRead = event.account == null && Object.hasOwn(READERS, event.type);
    const said = isRead ? READERS[event.type]?.(event.data.object) : null;
    return said == null ? { type: "ignored", ...origin } : { ...said, ...origin };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const detail = error.issues.map((issue) => `${issue.path.join(".")}: ${issue.code}`).join("; ");
    throw new PaymentProviderError("rejected", "Stripe's notification cannot be understood.", { detail });
  }
}

/** The same for an entry of Stripe's list of events, of which one that cannot be understood hides no other. */
export function readListedEvent(listed: {
  readonly id: string;
  readonly created: number;
}): PaymentEvent | UnreadableEvent {
  try {
    return readEvent(listed);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const { data: occurredAt = null } = Created.safeParse(listed.created);
    return { type: "unreadable", providerEventId: listed.id, occurredAt, reason: error.message };
  }
}

const isStranger = (link: { linkId: string | null; providerLinkId: string | null }) =>
  link.linkId === null && link.providerLinkId === null;

const PAGE_SIZE = 100;

/**
 * Stripe's list of events since an instant, oldest first. Stripe lists the newest first, so that of several pages only the
 * last is known to be the oldest: it is walked to first, keeping nothing, and from there the list is read forwards.
 */
export async function* listEvents(
  stripe: Stripe,
  { since, signal, onPage }: EventsAsked,
): AsyncGenerator<Stripe.Event> {
  const filter: Stripe.EventListParams = {
    types: [...STRIPE_EVENT_TYPES],
    created: { gte: Math.floor(Date.parse(since) / 1000) },
    limit: PAGE_SIZE,
  };
  const pageOf = inTurns(async (more) => {
    const page = await stripe.events.list({ ...filter, ...more });
    await onPage?.();
    return page;
  });
  let page = await pageOf({});
  for (let last = page.data.at(-1); page.has_more && last !== undefined; last = page.data.at(-1)) {
    signal?.throwIfAborted();
    page = await pageOf({ starting_after: last.id });
    if (page.data.at(-1)?.id === last.id) throw doesNotGoOn();
  }
  for (let newest = page.data[0]; newest !== undefined; newest = page.data[0]) {
    for (const event of page.data.toReversed()) {
      signal?.throwIfAborted();
      yield event;
    }
    // What happened while these were read is newer than they are, and comes as well.
    page = await pageOf({ ending_before: newest.id });
    if (page.data.some((event) => event.id === newest?.id)) throw doesNotGoOn();
  }
}

/** A million events; Stripe keeps those of 30 days. */
const MOST_PAGES = 10_000;
const LONGEST_REST_MS = 1_000;

/** Asks for page after page, with rests as long as each took, so that others have their turn. Throws `rejected` beyond a bound. */
export function inTurns<T>(ask: (more: Stripe.EventListParams) => Promise<T>, most = MOST_PAGES) {
  let pages = 0;
  let begun = performance.now();
  return async (more: Stripe.EventListParams) => {
    if (pages > 0) await sleep(Math.min(LONGEST_REST_MS, performance.now() - begun));
    pages += 1;
    if (pages > most) throw new PaymentProviderError("rejected", "Stripe's list of events has no end.");
    begun = performance.now();
    return ask(more);
  };
}

/** A proxy may drop what a page is asked for by: the same one would come for ever. */
function doesNotGoOn() {
  return new PaymentProviderError("rejected", "Stripe's list of events answers the same page again and again.");
}
