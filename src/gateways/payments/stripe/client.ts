import { createRequire } from "node:module";
import type Stripe from "stripe";
import { LOOPBACK } from "../../../settings.ts";
import { type OutsideCall, outsideCalls } from "../../../signals.ts";
import { boundedFetch, type Fetch, fetchBy, lookups } from "../../outgoing.ts";
import { quotable } from "../../outside-error.ts";
import { PaymentProviderError, type PaymentProviderErrorKind } from "../gateway.ts";

/** Which Stripe account, and how it is reached. */
export interface StripeSettings {
  /** `sk_…`, or `rk_…` for links and checkout sessions (write), events, account and countries (read). */
  readonly secretKey: string;
  /** `whsec_…`, of the webhook endpoint that points at the service. */
  readonly webhookSecret: string;
  /** Those before it that are still good. */
  readonly earlierWebhookSecrets?: readonly string[];
  /** Instead of Stripe itself: a proxy, or a simulator. https, or http on this machine. */
  readonly apiBase?: string | undefined;
  /** Until the answer has ended. */
  readonly timeoutMs?: number;
  /** How often a request that got no usable answer is sent again, with the same idempotency key. */
  readonly maxNetworkRetries?: number;
  /** Links looked through by `findLinks`. */
  readonly maxLinksSearched?: number;
  readonly now?: () => Date;
}

type Endpoint = Required<Pick<Stripe.StripeConfig, "host" | "port" | "protocol">>;

const STRIPE: Endpoint = { host: "api.stripe.com", port: "443", protocol: "https" };

/** Reads `apiBase`. Throws `rejected` for anything but an origin, and for http elsewhere than on this machine. */
function endpointOf(apiBase: string | undefined): Endpoint {
  if (apiBase === undefined) return STRIPE;
  const url = URL.parse(apiBase);
  if (url === null || !["https:", "http:"].includes(url.protocol) || url.href !== `${url.origin}/`)
    throw new PaymentProviderError(
      "rejected",
      "The API's address must be an origin such as https://stripe.example.com.",
    );
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname))
    throw new PaymentProviderError("rejected", "The API's address must be https, for it is sent the secret key.");
  const protocol = url.protocol === "http:" ? "http" : "https";
  const port = url.port === "" ? { http: "80", https: "443" }[protocol] : url.port;
  return { host: url.hostname, port, protocol };
}

/** Whether a secret key moves real money, which Stripe tells by its prefix; null for a key that does not say. */
export function livemodeOfKey(secretKey: string) {
  const mode = /^[a-z]+(?:_org)?_(live|test)_/.exec(secretKey)?.[1];
  return mode === undefined ? null : mode === "live";
}

/** Whether it looks like the signing secret of a webhook endpoint. */
export const isWebhookSecret = (text: string) => /^whsec_[\w+/=-]+$/.test(text);

/** Catches what a person is likely to mix up. Throws `authentication_failed`. */
function checkSecrets({ secretKey, webhookSecret }: StripeSettings) {
  if (!/^[!-~]+$/.test(secretKey) || /^(pk|whsec)_/.test(secretKey))
    throw new PaymentProviderError("authentication_failed", "The secret key is not one: it starts with sk_ or rk_.");
  if (!/^[!-~]+$/.test(webhookSecret) || /^(sk|rk|pk)_/.test(webhookSecret))
    throw new PaymentProviderError("authentication_failed", "The webhook secret is not one: it starts with whsec_.");
}

const load = createRequire(import.meta.url);

/** Stripe's own library, two hundred files of it: loaded when a workspace that has Stripe first asks for something. */
export function stripeSdk(): typeof Stripe {
  return load("stripe");
}

/** The version every request is made in and the types of the library belong to. */
const API_VERSION = "2026-10-28.endive";

const TIMEOUT_MS = 10_000;
const MAX_NETWORK_RETRIES = 1;
/** Of one answer: a page of a hundred events is some hundred kilobytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Stripe's own library, pinned and silent. Nothing is sent yet. Throws what {@link endpointOf} does. */
export function stripeClient(settings: StripeSettings): Stripe {
  checkSecrets(settings);
  return new (stripeSdk())(settings.secretKey, {
    ...endpointOf(settings.apiBase),
    apiVersion: API_VERSION,
    timeout: settings.timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: settings.maxNetworkRetries ?? MAX_NETWORK_RETRIES,
    telemetry: false,
    httpClient: boundedClient(),
  });
}

/** Stripe's name is looked up by a share of its own; connections are kept open over many clients. Redirects are not followed. */
const bounded = boundedFetch(fetchBy(lookups.payments), MAX_ANSWER_BYTES);
const fetchStripe: Fetch = async (url, options) => {
  try {
    return await bounded(url, { ...options, redirect: "manual" });
  } catch (error) {
    throw causeOf(error);
  }
};

/** Why `fetch` failed. By the code of Node's own client the library knows a closed connection: it asks once more. */
function causeOf(error: unknown) {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return error;
  const isClosed = "code" in cause && cause.code === "UND_ERR_SOCKET";
  return isClosed ? Object.assign(new Error(cause.message), { code: "ECONNRESET" }) : cause;
}

/**
 * The library's client over that. It prints the header `Stripe-Notice` to stderr, between the lines of the log, so that header is
 * dropped.
 */
function boundedClient(): ReturnType<typeof Stripe.createFetchHttpClient> {
  const client = stripeSdk().createFetchHttpClient(fetchStripe);
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

/** Stripe's error codes that mean the same for every request. */
const BY_CODE: Readonly<Record<string, readonly [PaymentProviderErrorKind, string]>> = {
  amount_too_small: ["amount_too_small", "The amount is below the least Stripe charges in this currency."],
  amount_too_large: ["amount_too_large", "The amount is above the most Stripe charges in this currency."],
  resource_missing: ["not_found", "Stripe has no such payment link."],
};

/** What the library threw, in the service's words; `secrets` are blotted out of what is quoted. */
export function toProviderError(error: unknown, secrets: readonly string[]) {
  if (error instanceof PaymentProviderError) return error;
  const detail = detailOf(error, secrets);
  const { errors } = stripeSdk();
  if (!(error instanceof errors.StripeError))
    return new PaymentProviderError("rejected", "Stripe's answer cannot be used.", { detail, effectUnknown: true });
  const replayed = error.headers?.["idempotent-replayed"] === "true";
  const failed = (kind: PaymentProviderErrorKind, publicMessage: string, effectUnknown = false) =>
    new PaymentProviderError(kind, publicMessage, { detail, effectUnknown, replayed });

  if (error instanceof errors.StripeInvalidRequestError) {
    const known = BY_CODE[error.code ?? ""];
    if (known !== undefined) return failed(...known);
    if (/(^|\[)currency\]?$/.test(error.param ?? ""))
      return failed("currency_not_supported", "Stripe cannot charge this currency.");
  }
  const meanings = [
    [errors.StripeAuthenticationError, "authentication_failed", "Stripe refused the secret key.", false],
    [
      errors.StripePermissionError,
      "authentication_failed",
      "Stripe does not let this key do what the service needs.",
      false,
    ],
    [errors.StripeConnectionError, "unreachable", "Stripe cannot be reached, or did not answer in time.", true],
    [errors.StripeRateLimitError, "unreachable", "Stripe is limiting requests.", false],
    [errors.StripeIdempotencyError, "idempotency_conflict", "The key was used for another request to Stripe.", true],
    // 5xx, 409 (the key is in use at this moment), and answers that are not JSON, as of a proxy.
    [errors.StripeAPIError, "unreachable", "Stripe is failing.", true],
  ] as const;
  for (const [thrown, kind, words, isUnknown] of meanings)
    if (error instanceof thrown) return failed(kind, words, isUnknown);
  return failed("rejected", "Stripe refused the request.");
}

function detailOf(error: unknown, secrets: readonly string[]) {
  const stripe = error instanceof stripeSdk().errors.StripeError ? error : undefined;
  const said = [
    stripe?.statusCode,
    stripe?.rawType,
    stripe?.code,
    stripe?.param,
    error instanceof Error ? error.message : "unknown",
    stripe?.requestId,
  ];
  const text = said.filter((part) => part !== undefined && part !== "").join(" ");
  const blotted = secrets.reduce((line, secret) => line.replaceAll(secret, "…"), text);
  return quotable(blotted.replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, "$1_…"));
}
