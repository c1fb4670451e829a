import type { LocalServer } from "../local-server.ts";
import { type Accounts, apiRoutes } from "./api.ts";
import { Checkouts, type Happening } from "./checkout.ts";
import { readControl } from "./control.ts";
import { type CustomerSteps, customerSteps } from "./customer-steps.ts";
import { type FaultInput, StripeFaults } from "./faults.ts";
import { type SeenStripeRequest, simulatorServer } from "./http.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import { Links, type SimulatedLink } from "./links.ts";
import { type DeliveryOptions, type StripeEvent, Webhooks, type WebhookTarget } from "./webhooks.ts";

export type { Paid } from "./customer-steps.ts";
export type { SeenStripeRequest } from "./http.ts";
export type { SimulatedLink } from "./links.ts";
export type { StripeEvent, WebhookTarget } from "./webhooks.ts";

/** What the simulated account is like. Notifications go nowhere without `webhook`. */
export interface StripeSimulatorOptions extends Partial<Accounts> {
  readonly webhook?: WebhookTarget;
  /** When events happen; by the real time, unless it says otherwise. */
  readonly now?: () => Date;
}

/** A Stripe-shaped REST service on a port of its own, for the demo and the tests. */
export interface StripeSimulator extends LocalServer, CustomerSteps {
  /** All links ever made, oldest first. */
  readonly links: readonly SimulatedLink[];
  /** All notifications ever made, oldest first. */
  readonly events: readonly StripeEvent[];
  /** The latest requests, oldest first. */
  readonly requests: readonly SeenStripeRequest[];
  forgetRequests(): void;
  /** As Stripe may do after a day. */
  forgetIdempotencyKeys(): void;
  /** The same as `POST /_control` with a `mode`. */
  control(input: FaultInput): void;
  setWebhook(target: WebhookTarget): void;
  /** Whether the list of events shows an event yet; it shows each at once unless it is told otherwise. */
  setListed(eventId: string, isListed: boolean): void;
  /** Sends a notification, again if need be. Resolves to the statuses it was answered, 0 for none. */
  deliver(event: StripeEvent, options?: DeliveryOptions): Promise<number[]>;
  /** Sends again what nobody has taken yet. */
  deliverPending(): Promise<number[]>;
}

const CURRENCIES =
  "usd eur gbp jpy krw clp kwd bhd jod omr tnd isk ugx mga chf cad aud sek nok dkk pln huf czk inr cny sgd mxn brl";

/** Makes a simulator; it answers once it listens. */
export function createStripeSimulator(options: StripeSimulatorOptions = {}): StripeSimulator {
  const accounts: Accounts = {
    secretKey: "sk_test_simulator",
    own: "acct_simulator",
    connected: [],
    country: "US",
    currencies: new Set(CURRENCIES.split(" ")),
    chargesEnabled: true,
    least: { usd: 50, eur: 50, gbp: 30 },
    ...options,
  };
  const { now = () => new Date() } = options;
  const links = new Links();
  const checkouts = new Checkouts(links);
  const webhooks = new Webhooks("2026-10-28.endive", /_live_/.test(accounts.secretKey), options.webhook);
  const keys = new IdempotencyKeys();
  const faults = new StripeFaults();
  const requests: SeenStripeRequest[] = [];
  const steps = customerSteps(checkouts, webhooks, now);
  const deliverPending = () => webhooks.deliverPending();
  const tell = (what: Happening): void => void webhooks.deliver(webhooks.record(what, now()));
  const server = simulatorServer({
    accounts,
    keys,
    faults,
    requests,
    route: apiRoutes(accounts, { links, checkouts, webhooks }, () => server.url, tell),
    control: (method, body) => readControl(method, body, { faults, pay: steps.pay, deliverPending }),
  });

  return {
    ...steps,
    listen: server.listen,
    close: server.close,
    get url() {
      return server.url;
    },
    links: links.all,
    events: webhooks.events,
    requests,
    forgetRequests: () => void requests.splice(0),
    forgetIdempotencyKeys: () => keys.forget(),
    control: (input) => faults.set(input),
    setWebhook: (target) => {
      webhooks.target = target;
    },
    setListed: (eventId, isListed) => webhooks.setListed(eventId, isListed),
    deliver: (event, delivery) => webhooks.deliver(event, delivery),
    deliverPending,
  };
}
