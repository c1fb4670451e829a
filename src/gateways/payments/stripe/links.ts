import type Stripe from "stripe";
import { plainUrl } from "../../../settings.ts";
import { type FoundLinks, type LinkRequest, PaymentProviderError, type ProviderLink } from "../gateway.ts";
import { stripeSdk } from "./client.ts";
import { toStripeAmount } from "./currencies.ts";
import { LINK_ID } from "./events.ts";

const MAX_NAME = 250;
const PAGE_SIZE = 100;
/** Open checkouts of a link that are expired at once: a list may have no end. */
const MAX_OPEN = 1_000;
const INACTIVE =
  "This payment link is no longer active. Please use the latest link you received, or contact the sender.";
const THANKS = "Thank you. Your payment is being recorded.";

/** The request for a link of exactly this amount that is paid once. Throws what {@link toStripeAmount} does. */
export function linkParameters({ linkId, amountMinor, currency, description }: Omit<LinkRequest, "idempotencyKey">) {
  const unitAmount = Number(toStripeAmount(amountMinor, currency));
  if (!Number.isSafeInteger(unitAmount))
    throw new PaymentProviderError("amount_too_large", "The amount is above the most Stripe charges.");
  const name = Array.from(description).slice(0, MAX_NAME).join("");
  const metadata = { [LINK_ID]: linkId };
  return {
    line_items: [
      {
        quantity: 1,
        price_data: { currency: currency.toLowerCase(), unit_amount: unitAmount, product_data: { name } },
      },
    ],
    restrictions: { completed_sessions: { limit: 1 } },
    metadata,
    // A link's metadata is copied to its checkout sessions only; payments and refunds need their own.
    payment_intent_data: { metadata, description: name },
    after_completion: { type: "hosted_confirmation", hosted_confirmation: { custom_message: THANKS } },
    inactive_message: INACTIVE,
  } satisfies Stripe.PaymentLinkCreateParams;
}

/** A link as Stripe answers it. Throws `rejected` when it is not the one asked for, or its address no web address. */
export function providerLink(link: Stripe.PaymentLink, linkId: string): ProviderLink {
  const url = plainUrl(link.url);
  if (link.metadata[LINK_ID] !== linkId || url === null || !["https:", "http:"].includes(url.protocol))
    throw new PaymentProviderError("rejected", "Stripe's answer is not the link that was asked for.", {
      effectUnknown: true,
    });
  return { linkId, providerLinkId: link.id, url: link.url, active: link.active };
}

/** Stripe cannot search links: they are read, newest first, until all are or `limit` is reached. */
export async function searchLinks(stripe: Stripe, wanted: string, limit: number): Promise<FoundLinks> {
  const links: ProviderLink[] = [];
  let read = 0;
  for await (const link of stripe.paymentLinks.list({ limit: Math.min(PAGE_SIZE, limit) })) {
    if (read === limit) return { links, complete: false };
    read += 1;
    if (link.metadata[LINK_ID] === wanted) links.push(providerLink(link, wanted));
  }
  return { links, complete: true };
}

/**
 * Expires the checkouts that customers have open on a link. One that was completed or expired meanwhile is no error. Throws
 * `unreachable` where there are more than a thousand, once a thousand are expired.
 */
export async function expireOpenSessions(stripe: Stripe, providerLinkId: string) {
  const open = stripe.checkout.sessions.list({ payment_link: providerLinkId, status: "open", limit: PAGE_SIZE });
  const ids: string[] = [];
  // All are listed before the first is expired: pages of what is open must not shift meanwhile.
  for await (const { id } of open) if (ids.push(id) > MAX_OPEN) break;
  for (const id of ids.slice(0, MAX_OPEN)) await expire(stripe, id);
  if (ids.length > MAX_OPEN)
    throw new PaymentProviderError("unreachable", `More than ${MAX_OPEN} checkouts of the link are open.`);
}

async function expire(stripe: Stripe, id: string) {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    if (!(error instanceof stripeSdk().errors.StripeInvalidRequestError)) throw error;
    const { status } = await stripe.checkout.sessions.retrieve(id);
    if (status === "open") throw error;
  }
}
