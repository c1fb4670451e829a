import type Stripe from "stripe";
import { PaymentProviderError } from "../error.ts";
import { STRIPE_EVENT_TYPES } from "./events.ts";

const PAGE_SIZE = 100;

/**
 * Stripe's list of events since an instant, oldest first. Stripe lists the newest first, so that of several pages only the
 * last is known to be the oldest: it is walked to first, keeping nothing, and from there the list is read forwards.
 */
export async function* listEvents(
  stripe: Stripe,
  since: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Stripe.Event> {
  const filter: Stripe.EventListParams = {
    types: [...STRIPE_EVENT_TYPES],
    created: { gte: Math.floor(Date.parse(since) / 1000) },
    limit: PAGE_SIZE,
  };
  let page = await stripe.events.list(filter);
  for (let last = page.data.at(-1); page.has_more && last !== undefined; last = page.data.at(-1)) {
    signal?.throwIfAborted();
    page = await stripe.events.list({ ...filter, starting_after: last.id });
    if (page.data.at(-1)?.id === last.id) throw doesNotGoOn();
  }
  for (let newest = page.data[0]; newest !== undefined; newest = page.data[0]) {
    for (const event of page.data.toReversed()) {
      signal?.throwIfAborted();
      yield event;
    }
    // What happened while these were read is newer than they are, and comes as well.
    page = await stripe.events.list({ ...filter, ending_before: newest.id });
    if (page.data.some((event) => event.id === newest?.id)) throw doesNotGoOn();
  }
}

/** A proxy may drop what a page is asked for by: the same one would come for ever. */
function doesNotGoOn(): PaymentProviderError {
  return new PaymentProviderError("rejected", "Stripe's list of events answers the same page again and again.");
}
