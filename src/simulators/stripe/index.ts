import { type Accounts, apiRoutes } from "./api.ts";
import { Checkouts, type Happening, type SessionRecord } from "./checkout.ts";
import { readControl } from "./control.ts";
import { type FaultInput, StripeFaults } from "./faults.ts";
import { type SeenStripeRequest, simulatorServer } from "./http.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import { Links, type SimulatedLink } from "./links.ts";
import { type DeliveryOptions, type StripeEvent, Webhooks, type WebhookTarget } from "./webhooks.ts";

export type { SeenStripeRequest } from "./http.ts";
export type { SimulatedLink } from "./links.ts";
export type { StripeEvent, WebhookTarget } from "./webhooks.ts";

/** What the simulated account is like. Notifications go nowhere without `webhook`. */
export interface StripeSimulatorOptions extends Partial<Accounts> {
  readonly webhook?: WebhookTarget;
  /** When events happen; by the real time, unless it says otherwise. */
  readonly now?: () => Date;
}

/** What a customer's step leaves behind. */
export interface Paid {
  readonly session: string;
  readonly paymentIntent: string;
  readonly events: readonly StripeEvent[];
  /** What the notifications were answered; empty when they were held back. */
  readonly deliveries: readonly number[];
}

interface StepOptions {
  /** Held back: `deliver` sends what is wanted, when it is wanted. */
  readonly hold?: boolean;
  /** Lost: nothing is ever sent of it, only the list of events tells. */
  readonly lost?: boolean;
}

/** A Stripe-shaped REST service on a port of its own, for the demo and the tests. */
export interface StripeSimulator {
  /** Port 0 takes a free one. Resolves to the base address. */
  listen(port?: number): Promise<string>;
  /** Ends every connection, hanging ones too. */
  close(): Promise<void>;
  readonly url: string;
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
  /** A customer follows a link, by its id or the service's own. Throws when Stripe would show no checkout. */
  open(link: string): SessionRecord;
  /** Pays an open checkout; `delayed` is a bank debit that is `settle`d later. */
  complete(session: string, options?: StepOptions & { readonly delayed?: boolean }): Promise<Paid>;
  /** Opens and completes. */
  pay(link: string, options?: StepOptions & { readonly delayed?: boolean }): Promise<Paid>;
  settle(session: string, succeeded: boolean, options?: StepOptions): Promise<readonly StripeEvent[]>;
  /** Whether the list of events shows an event yet; it shows each at once unless it is told otherwise. */
  setListed(eventId: string, isListed: boolean): void;
  refund(paymentIntent: string, amount?: number, options?: StepOptions): Promise<readonly StripeEvent[]>;
  dispute(
    paymentIntent: string,
    status?: "needs_response" | "won" | "lost",
    options?: StepOptions,
  ): Promise<readonly StripeEvent[]>;
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
  let address: string | undefined;
  const origin = (): string => {
    if (address === undefined) throw new Error("the simulator does not listen yet");
    return address;
  };
  const tell = (what: Happening): void => void deliverAll([webhooks.record(what, now())]);
  const route = apiRoutes(accounts, { links, checkouts, webhooks }, origin, tell);

  async function deliverAll(events: readonly StripeEvent[], { hold, lost }: StepOptions = {}): Promise<number[]> {
    const statuses: number[] = [];
    if (lost) webhooks.lose(events);
    else if (!hold) for (const event of events) statuses.push(...(await webhooks.deliver(event)));
    return statuses;
  }

  const recorded = (happenings: readonly Happening[]): StripeEvent[] =>
    happenings.map((happening) => webhooks.record(happening, now()));

  async function sent(happenings: readonly Happening[], step?: StepOptions): Promise<readonly StripeEvent[]> {
    const events = recorded(happenings);
    await deliverAll(events, step);
    return events;
  }

  async function finish(session: SessionRecord, step: StepOptions & { readonly delayed?: boolean }): Promise<Paid> {
    const events = recorded(checkouts.complete(session.id, step.delayed ?? false));
    const deliveries = await deliverAll(events, step);
    return { session: session.id, paymentIntent: session.paymentIntent, events, deliveries };
  }

  const pay: StripeSimulator["pay"] = async (link, step = {}) => finish(checkouts.open(link), step);
  const deliverPending = () => webhooks.deliverPending();

  const control = (method: string | undefined, body: string) =>
    readControl(method, body, { faults, pay, deliverPending });
  const server = simulatorServer({ accounts, keys, faults, requests, route, control });

  return {
    listen: (port = 0) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => {
          const bound = server.address();
          address = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : port}`;
          resolve(address);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    get url() {
      return origin();
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
    open: (link) => checkouts.open(link),
    complete: async (session, step = {}) => finish(checkouts.session(session), step),
    pay,
    settle: async (session, succeeded, step) => sent(checkouts.settle(session, succeeded), step),
    refund: async (paymentIntent, amount, step) => sent(checkouts.refund(paymentIntent, amount), step),
    setListed: (eventId, isListed) => webhooks.setListed(eventId, isListed),
    dispute: async (paymentIntent, status, step) => sent(checkouts.dispute(paymentIntent, status), step),
    deliver: (event, delivery) => webhooks.deliver(event, delivery),
    deliverPending,
  };
}
