import type { Checkouts, Happening, SessionRecord } from "./checkout.ts";
import type { StripeEvent, Webhooks } from "./webhooks.ts";

/** The result of a customer's payment. */
export interface Paid {
  readonly session: string;
  readonly paymentIntent: string;
  readonly events: readonly StripeEvent[];
  /** Statuses that the notifications were answered with; empty when they were held back. */
  readonly deliveries: readonly number[];
}

interface StepOptions {
  /** Held back: only `deliver` sends the notifications. */
  readonly hold?: boolean;
  /** Lost: the notifications are never sent; only the list of events has them. */
  readonly lost?: boolean;
}

type PayOptions = StepOptions & { readonly delayed?: boolean };

/** What customers and their banks do; each step records its events and notifies the webhook. */
export interface CustomerSteps {
  /** A customer follows a link, by its id or the service's own. Throws when Stripe would show no checkout. */
  open(link: string): SessionRecord;
  /** Pays an open checkout; `delayed` is a bank debit that {@link CustomerSteps.finishDebit} ends later. */
  complete(session: string, options?: PayOptions): Promise<Paid>;
  /** Opens and completes. */
  pay(link: string, options?: PayOptions): Promise<Paid>;
  finishDebit(session: string, succeeded: boolean, options?: StepOptions): Promise<readonly StripeEvent[]>;
  refund(paymentIntent: string, amount?: number, options?: StepOptions): Promise<readonly StripeEvent[]>;
  failRefund(
    paymentIntent: string,
    status?: "failed" | "canceled",
    options?: StepOptions,
  ): Promise<readonly StripeEvent[]>;
  dispute(
    paymentIntent: string,
    status?: "needs_response" | "won" | "lost",
    options?: StepOptions,
  ): Promise<readonly StripeEvent[]>;
}

export function customerSteps(checkouts: Checkouts, webhooks: Webhooks, now: () => Date): CustomerSteps {
  async function notify(events: readonly StripeEvent[], { hold, lost }: StepOptions): Promise<number[]> {
    const statuses: number[] = [];
    if (lost) webhooks.lose(events);
    else if (!hold) for (const event of events) statuses.push(...(await webhooks.deliver(event)));
    return statuses;
  }

  async function told(happenings: readonly Happening[], step: StepOptions = {}) {
    const events = happenings.map((happening) => webhooks.record(happening, now()));
    return { events, deliveries: await notify(events, step) };
  }

  async function completed(session: SessionRecord, step: PayOptions): Promise<Paid> {
    const sent = await told(checkouts.complete(session.id, step.delayed ?? false), step);
    return { session: session.id, paymentIntent: session.paymentIntent, ...sent };
  }

  return {
    open: (link) => checkouts.open(link),
    complete: async (session, step = {}) => completed(checkouts.session(session), step),
    pay: async (link, step = {}) => completed(checkouts.open(link), step),
    finishDebit: async (session, succeeded, step) =>
      (await told(checkouts.finishDebit(session, succeeded), step)).events,
    refund: async (paymentIntent, amount, step) => (await told(checkouts.refund(paymentIntent, amount), step)).events,
    failRefund: async (paymentIntent, status, step) =>
      (await told(checkouts.failRefund(paymentIntent, status), step)).events,
    dispute: async (paymentIntent, status, step) => (await told(checkouts.dispute(paymentIntent, status), step)).events,
  };
}
