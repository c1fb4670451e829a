import { PaymentProviderError } from "../error.ts";
import type { PaymentGateway } from "../gateway.ts";
import { stripeClient } from "./client.ts";
import { STRIPE_CURRENCIES, stripeStep } from "./currencies.ts";
import { toProviderError } from "./errors.ts";
import { readEvent, readListedEvent } from "./events.ts";
import { linkParameters, providerLink, searchLinks } from "./links.ts";
import { listEvents } from "./list-events.ts";
import { stripeSdk } from "./sdk.ts";
import { expireOpenSessions } from "./sessions.ts";
import { livemodeOfKey, type StripeSettings } from "./settings.ts";

export type { StripeSettings } from "./settings.ts";

const MAX_LINKS_SEARCHED = 10_000;
const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * Stripe: a Payment Link for each link, confirmed by webhook. Nothing is sent yet; throws a PaymentProviderError for
 * settings that cannot be used. A payment's id (`providerPaymentId`) is its PaymentIntent's.
 */
export function stripePayments(settings: StripeSettings): PaymentGateway {
  const stripe = stripeClient(settings);
  const { secretKey, webhookSecret, stripeAccount, now = () => new Date() } = settings;

  async function asked<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw toProviderError(error, [secretKey, webhookSecret]);
    }
  }

  return {
    provider: "stripe",
    livemode: livemodeOfKey(secretKey),
    chargeStep: stripeStep,

    mintLink: (request) =>
      asked(async () => {
        const { idempotencyKey, linkId } = request;
        return providerLink(await stripe.paymentLinks.create(linkParameters(request), { idempotencyKey }), linkId);
      }),

    // No key of ours: to withdraw twice is to withdraw once, and a stored failure must not stand in the way for a day.
    // The link first: then nobody opens another checkout while those that are open are expired.
    deactivateLink: (providerLinkId) =>
      asked(async () => {
        await stripe.paymentLinks.update(providerLinkId, { active: false });
        await expireOpenSessions(stripe, providerLinkId);
      }),

    findLinks: (linkIds) => asked(() => searchLinks(stripe, linkIds, settings.maxLinksSearched ?? MAX_LINKS_SEARCHED)),

    verifyEvents(rawBody, signature) {
      try {
        const event = stripe.webhooks.constructEvent(
          rawBody,
          signature ?? "",
          webhookSecret,
          WEBHOOK_TOLERANCE_SECONDS,
          undefined,
          now().getTime(),
        );
        return [readEvent(event, stripeAccount)];
      } catch (error) {
        if (error instanceof PaymentProviderError) throw error;
        if (error instanceof stripeSdk().errors.StripeSignatureVerificationError)
          throw new PaymentProviderError("signature_invalid", "The notification is not signed by Stripe, or too old.");
        throw new PaymentProviderError("rejected", "Stripe's notification cannot be understood.");
      }
    },

    async *readEvents({ since, signal }) {
      try {
        for await (const event of listEvents(stripe, since, signal)) yield readListedEvent(event, stripeAccount);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw toProviderError(error, [secretKey, webhookSecret]);
      }
    },

    checkAccount: () =>
      asked(async () => {
        const account = await stripe.accounts.retrieveCurrent();
        const { country } = account;
        if (country == null)
          throw new PaymentProviderError("rejected", "The Stripe account has no country yet: finish its registration.");
        const spec = await stripe.countrySpecs.retrieve(country);
        const charged = new Set(spec.supported_payment_currencies.map((code) => code.toUpperCase()));
        return {
          accountId: account.id,
          livemode: livemodeOfKey(secretKey),
          chargesEnabled: account.charges_enabled,
          currencies: STRIPE_CURRENCIES.filter((code) => charged.has(code)),
        };
      }),
  };
}
