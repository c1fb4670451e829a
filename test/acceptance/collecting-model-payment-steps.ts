import fc from "fast-check";
import { expect } from "vitest";
import { z } from "zod";
import { requestEventReading } from "../../src/core/payments/events/read-events.ts";
import { decideInSandbox } from "../../src/core/payments/events/sandbox-payment.ts";
import { payToken } from "../../src/gateways/payments/sandbox/index.ts";
import { readProviderEvents } from "../../src/jobs/work-off.ts";
import type { StripeEvent } from "../../src/simulators/stripe/index.ts";
import { isInOther, type ModelBook } from "./collecting-model-book.ts";
import { disputed, refunded, refundFailed } from "./collecting-model-concerns.ts";
import type { Link } from "./collecting-model-facts.ts";
import { codeOf, latest, pick, step, withStripe } from "./collecting-model-step.ts";
import type { Checkout, Honesty, ModelWorld } from "./collecting-model-world.ts";

/** Tells the model of a payment that the service was told of; the same again is nothing new. */
async function paid(world: ModelWorld, key: string, link: Link, at: number): Promise<void> {
  const { core, tenantId, book } = world;
  const row = await core.store.read(tenantId, (tx) =>
    tx
      .selectFrom("payments")
      .select("payment_id")
      .where("tenant_id", "=", tenantId)
      .where("provider_payment_id", "=", key)
      .executeTakeFirst(),
  );
  if (row === undefined && isInOther(link)) return keepOut(book, key, link);
  if (row === undefined) throw new Error(`the payment ${key} was not recorded`);
  book.pay(key, row.payment_id, link, at);
}

/** Money in another currency than its invoice has now counts in no figure, and ends its link. */
function keepOut({ concerns }: ModelBook, key: string, link: Link): void {
  const name = `payment_in_other_currency ${key}`;
  if (!concerns.has(name)) concerns.set(name, { amount: link.amount, known: false, resolved: false });
  if (link.state === "active") link.state = "deactivated";
}

const Told = z.looseObject({
  type: z.string(),
  created: z.int(),
  data: z.looseObject({
    object: z.looseObject({
      id: z.string().optional(),
      object: z.string(),
      payment_intent: z.string().optional(),
      amount: z.int().optional(),
      amount_refunded: z.int().optional(),
      status: z.string().nullish(),
    }),
  }),
});

/** What an event tells: of which payment at Stripe, and what. */
function readTold({ payload }: StripeEvent) {
  const { type, created, data } = Told.parse(JSON.parse(payload));
  const { id = "", object, payment_intent = "", ...told } = data.object;
  return { id, type, created, key: object === "payment_intent" ? id : payment_intent, ...told };
}

const isOf = ({ key }: Checkout, event: StripeEvent): boolean => readTold(event).key === key;

/** Takes into the model what Stripe tells, in whatever order and however often (completions §12). */
async function takeIn(world: ModelWorld, event: StripeEvent): Promise<void> {
  const { book } = world;
  const { id, type, created, key, status, amount = 0, amount_refunded: total = 0 } = readTold(event);
  const checkout = world.checkouts.find((one) => one.key === key);
  const link = book.links.find((one) => one.id === checkout?.linkId);
  if (link === undefined) return;
  const at = created * 1_000;
  if (type === "payment_intent.succeeded" || type === "checkout.session.completed") await paid(world, key, link, at);
  if (type === "charge.refunded") refunded(book, key, { total: BigInt(total), at });
  if (type === "refund.failed" || type === "charge.refund.updated")
    refundFailed(book, key, { id, amount: BigInt(amount), at });
  if (type.startsWith("charge.dispute."))
    disputed(book, key, {
      ...{ at, closed: status !== "needs_response", disputed: status !== "won" },
      amount: BigInt(amount),
    });
}

async function deliver(world: ModelWorld, checkout: Checkout, event: StripeEvent, honesty: Honesty): Promise<void> {
  const code = await codeOf(world.notify(event, checkout.linkId, honesty));
  if (!(await world.isGood(checkout.linkId, honesty))) return;
  expect(code).toBe(null);
  await takeIn(world, event);
}

async function complete(world: ModelWorld, checkout: Checkout, held: boolean): Promise<void> {
  try {
    await tell(world, checkout, (await world.stripe.complete(checkout.session, { hold: true })).events, held);
    checkout.paid = true;
  } catch (error) {
    // Another checkout of the link was paid, or it was expired with its link: it is done with.
    if (!(error instanceof Error) || !/has been paid|is expired|is complete/.test(error.message)) throw error;
  }
}

async function tell(world: ModelWorld, of: Checkout, events: readonly StripeEvent[], held: boolean): Promise<void> {
  if (!held) for (const event of events) await deliver(world, of, event, "true");
}

/** A customer pays an active link, the latest being 0. */
export const payment = ({ which, held }: { readonly which: number; readonly held: boolean }) =>
  step(`pay link ${which}${held ? ", Stripe tells later" : ""}`, async (world) => {
    const checkout = follow(world, which, ["active"]);
    if (checkout !== undefined) await complete(world, checkout, held);
  });

export const payLink = fc.record({ which: latest, held: fc.boolean() }).map(payment);

/** A customer follows a link in one of these states; Stripe shows no checkout of what is paid, withdrawn or was not made. */
function follow({ book, stripe, checkouts }: ModelWorld, which: number, states: Link["state"][]): Checkout | undefined {
  const there = book.links.filter(({ currency, state }) => currency === "USD" && states.includes(state));
  const link = pick(there, which);
  if (link === undefined) return undefined;
  try {
    const { id, paymentIntent } = stripe.open(link.id);
    const checkout: Checkout = { linkId: link.id, session: id, key: paymentIntent, paid: false, dispute: "none" };
    checkouts.push(checkout);
    return checkout;
  } catch {
    return undefined;
  }
}

export const openCheckout = latest.map((which) =>
  step(`open a checkout of ${which}`, async (world) => {
    follow(world, which, ["reserved", "active", "paid", "deactivated", "withdrawn"]);
  }),
);

export const completeCheckout = fc.record({ which: latest, held: fc.boolean() }).map(({ which, held }) =>
  step(`pay checkout ${which}${held ? ", Stripe tells later" : ""}`, async (world) => {
    const checkout = pick(
      world.checkouts.filter((one) => !one.paid),
      which,
    );
    if (checkout !== undefined) await complete(world, checkout, held);
  }),
);

const honesty = fc.constantFrom<Honesty>("true", "true", "true", "true", "foreign", "live", "earlier");

const notificationOf = (told: fc.Arbitrary<Honesty>) =>
  fc.record({ which: latest, event: latest, honesty: told }).map(({ which, event, honesty }) =>
    step(`notification ${event} of ${which} (${honesty})`, async (world) => {
      const checkout = pick(
        world.checkouts.filter((one) => one.paid),
        which,
      );
      if (checkout === undefined) return;
      const told = pick(
        world.stripe.events.filter((one) => isOf(checkout, one)),
        event,
      );
      if (told !== undefined) await deliver(world, checkout, told, honesty);
    }),
  );

export const notification = notificationOf(honesty);

/** Told with the secret before the last rotation: good for a day. */
export const notifyEarlier = notificationOf(fc.constant("earlier"));

/** Stripe's own list has everything that notifications may have missed. */
export const eventReading = (mode: "ok" | "drop") =>
  step(`read the list of events (Stripe ${mode})`, async (world) => {
    const { core, tenantId, stripe } = world;
    await requestEventReading(core, { tenantId });
    const readings = await withStripe(world, mode === "ok" ? "ok" : "drop", () =>
      readProviderEvents(core, { tenantId }),
    );
    expect(readings.map(({ problem }) => problem === null)).toEqual([mode === "ok"]);
    if (mode === "ok") for (const event of stripe.events) await takeIn(world, event);
  });

export const readEvents = fc.constantFrom("ok", "ok", "ok", "drop" as const).map(eventReading);

export const refund = fc
  .record({ which: latest, amount: fc.constantFrom(undefined, 3_000, 5_000, "failing" as const), held: fc.boolean() })
  .map(({ which, amount, held }) =>
    step(
      `refund (${amount ?? "the rest"}) of checkout ${which}${held ? ", Stripe tells later" : ""}`,
      async (world) => {
        const checkout = pick(
          world.checkouts.filter((one) => one.paid),
          which,
        );
        if (checkout === undefined) return;
        const { stripe } = world;
        const happens =
          amount === "failing"
            ? stripe.failRefund(checkout.key, "failed", { hold: true })
            : stripe.refund(checkout.key, amount, { hold: true });
        const events = await happens.catch(() => []);
        await tell(world, checkout, events, held);
      },
    ),
  );

/** A bank opens a dispute, and later decides it, once. */
export const dispute = fc
  .record({ which: latest, end: fc.constantFrom("won" as const, "lost" as const), held: fc.boolean() })
  .map(({ which, end, held }) =>
    step(`dispute checkout ${which}, to be ${end}${held ? ", Stripe tells later" : ""}`, async (world) => {
      const checkout = pick(
        world.checkouts.filter((one) => one.paid && (one.dispute === "none" || one.dispute === "needs_response")),
        which,
      );
      if (checkout === undefined) return;
      checkout.dispute = checkout.dispute === "none" ? "needs_response" : end;
      const events = await world.stripe.dispute(checkout.key, checkout.dispute, { hold: true });
      await tell(world, checkout, events, held);
    }),
  );

/** What is being made through an integration is settled before it goes. */
export const reconnect = fc.constant(
  step("connect Stripe anew", async (world) => {
    if (world.book.hanging.length === 0) await world.reconnect();
  }),
);

/** Of the integration that a payment came through: what it still tells is signed with the earlier secret, or the new one. */
export const rotate = latest.map((which) =>
  step(`rotate the webhook secret of checkout ${which}`, async (world) => {
    const checkout = pick(world.checkouts, which);
    if (checkout !== undefined) await world.rotate(checkout.linkId);
  }),
);

export const paySandbox = latest.map((which) =>
  step(`pay ${which} in the sandbox`, async (world) => {
    const { book, core, tenantId } = world;
    const shown = book.links.filter(({ part, state }) => {
      return part.invoice.currency === "JPY" && state !== "reserved" && state !== "withdrawn";
    });
    const link = pick(shown, which);
    if (link === undefined) return;
    const token = payToken(core.secrets, { tenantId, linkId: link.id });
    const code = await codeOf(decideInSandbox(core, token, "payment_confirmed"));
    expect(code).toBe(link.state === "deactivated" ? "conflict" : null);
    if (link.state === "active") await paid(world, `sandbox_payment_${link.id}`, link, book.now);
  }),
);
