import type Stripe from "stripe";
import { stripeSdk } from "./sdk.ts";

const PAGE_SIZE = 100;

/** Expires every checkout that customers have open on a link. One that was completed or expired meanwhile is no error. */
export async function expireOpenSessions(stripe: Stripe, providerLinkId: string): Promise<void> {
  const open = stripe.checkout.sessions.list({ payment_link: providerLinkId, status: "open", limit: PAGE_SIZE });
  const ids: string[] = [];
  // All are listed before the first is expired: pages of what is open must not shift meanwhile.
  for await (const { id } of open) ids.push(id);
  for (const id of ids) await expire(stripe, id);
}

async function expire(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    if (!(error instanceof stripeSdk().errors.StripeInvalidRequestError)) throw error;
    const { status } = await stripe.checkout.sessions.retrieve(id);
    if (status === "open") throw error;
  }
}
