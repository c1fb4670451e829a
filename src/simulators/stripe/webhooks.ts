import { createHmac } from "node:crypto";
import { StripeFault } from "./answers.ts";
import type { Happening } from "./checkout.ts";
import type { EventQuery } from "./link-parameters.ts";
import { newId } from "./links.ts";
import { pageOf } from "./paging.ts";

/** Where notifications go, and what they are signed with. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

/** A notification; it may be sent several times. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly account: string | undefined;
  /** Seconds since 1970. */
  readonly created: number;
  /** The JSON, byte for byte. */
  readonly payload: string;
}

/** How a notification is sent otherwise than it should be. */
export interface DeliveryOptions {
  readonly times?: number;
  /** How long ago it was signed. */
  readonly ageSeconds?: number;
  /** Signed with another secret. */
  readonly secret?: string;
  /** Altered after it was signed. */
  readonly alter?: (payload: string) => string;
}

const TIMEOUT_MS = 5_000;
/** Notifications that are sent again together: Stripe promises no order. */
const AT_ONCE = 8;

/** The simulator's notifications: each is kept until it was taken. */
export class Webhooks {
  target: WebhookTarget | undefined;
  /** Oldest first. */
  readonly events: StripeEvent[] = [];
  readonly #pending = new Set<StripeEvent>();
  readonly #unlisted = new Set<string>();
  readonly #apiVersion: string;
  readonly #livemode: boolean;

  constructor(apiVersion: string, livemode: boolean, target: WebhookTarget | undefined) {
    this.#apiVersion = apiVersion;
    this.#livemode = livemode;
    this.target = target;
  }

  /** Makes the event of a happening; nothing is sent yet. */
  record({ type, object, account }: Happening, now: Date): StripeEvent {
    const event = {
      id: newId("evt"),
      object: "event",
      ...(account === undefined ? {} : { account }),
      api_version: this.#apiVersion,
      created: Math.floor(now.getTime() / 1000),
      data: { object },
      livemode: this.#livemode,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    const { id, created } = event;
    const recorded = { id, type, account, created, payload: JSON.stringify(event, null, 2) };
    this.events.push(recorded);
    this.#pending.add(recorded);
    return recorded;
  }

  /** These are never sent again by themselves. */
  lose(events: readonly StripeEvent[]): void {
    for (const event of events) this.#pending.delete(event);
  }

  /** Says whether the list of events shows an event yet: Stripe may show one some time after it happened. */
  setListed(eventId: string, isListed: boolean): void {
    if (isListed) this.#unlisted.delete(eventId);
    else this.#unlisted.add(eventId);
  }

  /** A page of an account's list of events, newest first; it has those that were never taken as well. */
  page(account: string | undefined, query: EventQuery): { page: StripeEvent[]; hasMore: boolean } {
    const { types, created } = query;
    const matching = this.events.filter(
      (event) =>
        event.account === account &&
        !this.#unlisted.has(event.id) &&
        (types === undefined || types.includes(event.type)) &&
        event.created >= (created?.gte ?? 0),
    );
    return pageOf(matching.toReversed(), query, (id) => {
      if (this.events.some((event) => event.id === id && event.account === account)) return;
      throw new StripeFault(`No such event: '${id}'`, { status: 404, code: "resource_missing" });
    });
  }

  /** Posts a notification. Resolves to the statuses it was answered, 0 for none. */
  async deliver(event: StripeEvent, options: DeliveryOptions = {}): Promise<number[]> {
    const { target } = this;
    if (target === undefined) return [];
    const { times = 1, ageSeconds = 0, secret = target.secret, alter = (payload: string) => payload } = options;
    const statuses: number[] = [];
    for (let sent = 0; sent < times; sent += 1) {
      const signature = sign(event.payload, secret, Math.floor(Date.now() / 1000) - ageSeconds);
      const status = await post(target.url, alter(event.payload), signature);
      if (status >= 200 && status < 300) this.#pending.delete(event);
      statuses.push(status);
    }
    return statuses;
  }

  /** Sends again what nobody has taken yet, as Stripe does for three days. */
  async deliverPending(): Promise<number[]> {
    const statuses: number[] = [];
    const left = [...this.#pending];
    while (left.length > 0) {
      const together = left.splice(0, AT_ONCE).map((event) => this.deliver(event));
      statuses.push(...(await Promise.all(together)).flat());
    }
    return statuses;
  }
}

/** The `Stripe-Signature` of a payload, signed at a second since 1970. */
export function sign(payload: string, secret: string, timestamp: number): string {
  const digest = createHmac("sha256", secret).update(`${timestamp}.${payload}`, "utf8").digest("hex");
  return `t=${timestamp},v1=${digest}`;
}

async function post(url: string, body: string, signature: string): Promise<number> {
  const headers = { "Content-Type": "application/json; charset=utf-8", "Stripe-Signature": signature };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: "POST", body, headers, redirect: "manual", signal });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
