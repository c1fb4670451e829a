import { randomUUID } from "node:crypto";
import { beforeEach, onTestFinished } from "vitest";
import {
  type LinkRequest,
  mintKey,
  type PaymentGateway,
  PaymentProviderError,
} from "../../../src/gateways/payments/gateway.ts";
import type { StripeSettings } from "../../../src/gateways/payments/stripe/client.ts";
import { stripePayments } from "../../../src/gateways/payments/stripe/index.ts";
import {
  createStripeSimulator,
  type StripeSimulator,
  type StripeSimulatorOptions,
} from "../../../src/simulators/stripe/index.ts";
import { served } from "../../support/served.ts";
import { standIn } from "../../support/use-store.ts";

export const SECRET_KEY = "sk_test_simulator";
export const WEBHOOK_SECRET = "whsec_simulator";

/** A running simulator; it ends with the test. */
export async function simulator(options: StripeSimulatorOptions = {}): Promise<StripeSimulator> {
  const started = createStripeSimulator({ secretKey: SECRET_KEY, ...options });
  await started.listen();
  onTestFinished(() => started.close());
  return started;
}

/** The connector to it, which tries once. */
export function connect(apiBase: string, settings: Partial<StripeSettings> = {}): PaymentGateway {
  const secrets = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET };
  return stripePayments({ ...secrets, apiBase, timeoutMs: 20_000, maxNetworkRetries: 0, ...settings });
}

/** A simulator for each test of the suite it is called in, and the connector to it. */
export function useStripe(options?: StripeSimulatorOptions): { stripe: StripeSimulator; gateway: PaymentGateway } {
  let running: { stripe: StripeSimulator; gateway: PaymentGateway } | undefined;
  beforeEach(async () => {
    const stripe = await simulator(options);
    running = { stripe, gateway: connect(stripe.url) };
  });
  return { stripe: standIn(() => running?.stripe), gateway: standIn(() => running?.gateway) };
}

/** A request for a link of 1250.50 USD. */
export function request(over: Partial<LinkRequest> = {}): LinkRequest {
  const linkId = over.linkId ?? randomUUID();
  const paid = { amountMinor: 125_050n, currency: "USD", description: "Invoice INV-1" };
  return { linkId, ...paid, idempotencyKey: mintKey(linkId), ...over };
}

/** A notification as it arrived. */
export interface Received {
  readonly body: Buffer;
  readonly signature: string | undefined;
}

/** A webhook endpoint that keeps what it is sent, and answers `status()`. */
export async function receiver(status: () => number = () => 200): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const url = await served(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const signature = request.headers["stripe-signature"];
    received.push({ body: Buffer.concat(chunks), signature: Array.isArray(signature) ? signature[0] : signature });
    response.writeHead(status()).end();
  });
  return { url, received };
}

/** The error of a call that has to fail. */
export async function failure(call: () => unknown): Promise<PaymentProviderError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof PaymentProviderError) return error;
    throw error;
  }
  throw new Error("a PaymentProviderError was expected");
}
