import { PaymentProviderError } from "../error.ts";

/** Which Stripe account, and how it is reached. */
export interface StripeSettings {
  /**
   * `sk_…`, or `rk_…` restricted to payment links and checkout sessions (write), and to events, account and country
   * information (read).
   */
  readonly secretKey: string;
  /** `whsec_…`, of the webhook endpoint that points at the service. */
  readonly webhookSecret: string;
  /** Instead of Stripe itself: a proxy, or a simulator. https, or http on this machine. */
  readonly apiBase?: string | undefined;
  /** A connected account to act for (`acct_…`). */
  readonly stripeAccount?: string | undefined;
  /** Until the answer begins, and between two pieces of it. */
  readonly timeoutMs?: number;
  /** How often a request that got no usable answer is sent again, with the same idempotency key. */
  readonly maxNetworkRetries?: number;
  /** Links looked through by `findLinks`. */
  readonly maxLinksSearched?: number;
  readonly now?: () => Date;
}

/** Where requests go, as the library takes it. */
export interface Endpoint {
  readonly host: string;
  readonly port: string;
  readonly protocol: "http" | "https";
}

const STRIPE: Endpoint = { host: "api.stripe.com", port: "443", protocol: "https" };
const THIS_MACHINE = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Reads `apiBase`. Throws `rejected` for anything but an origin, and for http elsewhere than on this machine. */
export function endpointOf(apiBase: string | undefined): Endpoint {
  if (apiBase === undefined) return STRIPE;
  const url = URL.parse(apiBase);
  if (url === null || !["https:", "http:"].includes(url.protocol) || url.href !== `${url.origin}/`)
    throw new PaymentProviderError(
      "rejected",
      "The API's address must be an origin such as https://stripe.example.com.",
    );
  if (url.protocol === "http:" && !THIS_MACHINE.has(url.hostname))
    throw new PaymentProviderError("rejected", "The API's address must be https, for it is sent the secret key.");
  const protocol = url.protocol === "http:" ? "http" : "https";
  const port = url.port === "" ? { http: "80", https: "443" }[protocol] : url.port;
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port, protocol };
}

/** Whether a secret key moves real money, which Stripe tells by its prefix; null for a key that does not say. */
export function livemodeOfKey(secretKey: string): boolean | null {
  const mode = /^[a-z]+(?:_org)?_(live|test)_/.exec(secretKey)?.[1];
  return mode === undefined ? null : mode === "live";
}

/** Whether it looks like the signing secret of a webhook endpoint. */
export const isWebhookSecret = (text: string): boolean => /^whsec_[\w+/=-]+$/.test(text);

/** Catches what a person is likely to mix up. Throws `authentication_failed`. */
export function checkSecrets({ secretKey, webhookSecret }: StripeSettings): void {
  if (!/^[!-~]+$/.test(secretKey) || /^(pk|whsec)_/.test(secretKey))
    throw new PaymentProviderError("authentication_failed", "The secret key is not one: it starts with sk_ or rk_.");
  if (!/^[!-~]+$/.test(webhookSecret) || /^(sk|rk|pk)_/.test(webhookSecret))
    throw new PaymentProviderError("authentication_failed", "The webhook secret is not one: it starts with whsec_.");
}
