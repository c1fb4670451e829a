import type Stripe from "stripe";
import { type OutsideCall, outsideCalls } from "../../../signals.ts";
import { stripeSdk } from "./sdk.ts";
import { checkSecrets, endpointOf, type StripeSettings } from "./settings.ts";

/** The version every request is made in and the types of the library belong to. */
export const API_VERSION = "2026-10-28.endive";

const TIMEOUT_MS = 10_000;
const MAX_NETWORK_RETRIES = 1;

/** Stripe's own library, pinned and silent. Nothing is sent yet. Throws what {@link endpointOf} does. */
export function stripeClient(settings: StripeSettings): Stripe {
  checkSecrets(settings);
  return new (stripeSdk())(settings.secretKey, {
    ...endpointOf(settings.apiBase),
    ...(settings.stripeAccount === undefined ? {} : { stripeAccount: settings.stripeAccount }),
    apiVersion: API_VERSION,
    timeout: settings.timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: settings.maxNetworkRetries ?? MAX_NETWORK_RETRIES,
    telemetry: false,
    httpClient: withoutNotices(),
  });
}

/** The library prints what `Stripe-Notice` says to stderr, between the lines of the log; so the header is dropped. */
function withoutNotices(): ReturnType<typeof Stripe.createNodeHttpClient> {
  const client = stripeSdk().createNodeHttpClient();
  return {
    getClientName: () => client.getClientName(),
    makeRequest(...request) {
      const told: OutsideCall = {
        system: "payments",
        operation: request[3] === "GET" ? "read" : "write",
        outcome: "ok",
      };
      return outsideCalls.during(told, async () => {
        const response = await client.makeRequest(...request);
        delete response.getHeaders()["stripe-notice"];
        if (response.getStatusCode() >= 400) told.outcome = String(response.getStatusCode());
        return response;
      });
    },
  };
}
