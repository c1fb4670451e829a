import type Stripe from "stripe";
import { type PaymentGateway, PaymentProviderError } from "../gateway.ts";
import { livemodeOfKey, type StripeSettings, stripeClient, toProviderError } from "./client.ts";
import { STRIPE_CURRENCIES, stripeStep } from "./currencies.ts";
import { listEvents, readEvent, readListedEvent } from "./events.ts";
import { expireOpenSessions, linkParameters, providerLink, searchLinks } from "./links.ts";

const MAX_LINKS_SEARCHED = 10_000;
/** Age of a notification at most. */
const TOLERANCE_SECONDS = 300;

/** Stripe: a Payment Link for each link, confirmed by webhook. PaymentProviderError for settings of no use. */
export function stripePayments(settings: StripeSettings): PaymentGateway {
  const stripe = stripeClient(settings);
  const { secretKey, now = () => new Date() } = settings;
  const webhookSecrets = [settings.webhookSecret, ...(settings.earlierWebhookSecrets ?? [])];

  const failure = (error: unknown) => toProviderError(error, [secretKey, ...webhookSecrets]);
  const asked = <T>(call: () => Promise<T>) =>
    call().catch((error: unknown) => {
      throw failure(error);
    });

  return {
    chargeStep: stripeStep,

    mintLink: ({ idempotencyKey, ...link }) =>
      asked(async () =>
        providerLink(await stripe.paymentLinks.create(linkParameters(link), { idempotencyKey }), link.linkId),
      ),

    // Without an idempotency key: repeating it is harmless, and Stripe would repeat a stored failure for a day.
    // The link comes first, so that nobody opens another checkout while open ones are expired.
    deactivateLink: (providerLinkId) =>
      asked(async () => {
        await stripe.paymentLinks.update(providerLinkId, { active: false });
        await expireOpenSessions(stripe, providerLinkId);
      }),

    findLinks: (linkId) => asked(() => searchLinks(stripe, linkId, settings.maxLinksSearched ?? MAX_LINKS_SEARCHED)),

    verifyEvents(rawBody, signature) {
      const [at, signed] = [now().getTime(), signature ?? ""];
      const body = isRecent(signed, at) ? rawBody.toString() : null;
      const isSignedWith = (secret: string) =>
        body !== null && isSigned(stripe.webhooks, [body, signed, secret, TOLERANCE_SECONDS, undefined, at]);
      if (body === null || !webhookSecrets.some(isSignedWith))
        throw new PaymentProviderError("signature_invalid", "The notification is not signed by Stripe, or too old.");
      try {
        return [readEvent(JSON.parse(body))];
      } catch (error) {
        if (error instanceof PaymentProviderError) throw error;
        throw new PaymentProviderError("rejected", "Stripe's notification cannot be understood.");
      }
    },

    async *readEvents(asked) {
      const { signal } = asked;
      try {
        for await (const event of listEvents(stripe, asked)) yield readListedEvent(event);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw failure(error);
      }
    },

    checkAccount: () => asked(async () => ({ livemode: livemodeOfKey(secretKey), ...(await readAccount(stripe)) })),
  };
}

/** Whether a signature names an instant that is not too long ago; looked at first, for the rest costs a body's length. */
function isRecent(signature: string, at: number) {
  const seconds = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1];
  return seconds !== undefined && Math.floor(at / 1000) - Number(seconds) <= TOLERANCE_SECONDS;
}

function isSigned({ signature }: Stripe.Webhooks, given: Parameters<Stripe.Signature["verifyHeader"]>) {
  try {
    return signature?.verifyHeader(...given) === true;
  } catch {
    // Not everything that may be wrong with a signature has an error of its own.
    return false;
  }
}

async function readAccount(stripe: Stripe) {
  const { id: accountId, country, charges_enabled: chargesEnabled } = await stripe.accounts.retrieveCurrent();
  if (country == null)
    throw new PaymentProviderError("rejected", "The Stripe account has no country yet: finish its registration.");
  const spec = await stripe.countrySpecs.retrieve(country);
  const charged = new Set(spec.supported_payment_currencies.map((code) => code.toUpperCase()));
  return { accountId, chargesEnabled, currencies: STRIPE_CURRENCIES.filter((code) => charged.has(code)) };
}
