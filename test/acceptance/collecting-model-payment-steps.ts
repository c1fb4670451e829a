import fc from "fast-check";
import { expect } from "vitest";
import { decideInSandbox } from "../../src/core/payments/sandbox-payment.ts";
import { payToken } from "../../src/gateways/payments/sandbox/token.ts";
import type { Link } from "./collecting-model-book.ts";
import { codeOf, latest, pick, step } from "./collecting-model-step.ts";
import type { Checkout, ModelWorld } from "./collecting-model-world.ts";

/** Tells the model of a payment that the service was told of; the same again is nothing new. */
async function paid(world: ModelWorld, key: string, link: Link): Promise<void> {
  const { core, tenantId, book } = world;
  const row = await core.store.read(tenantId, (tx) =>
    tx
      .selectFrom("payments")
      .select("payment_id")
      .where("tenant_id", "=", tenantId)
      .where("provider_payment_id", "=", key)
      .executeTakeFirst(),
  );
  if (row === undefined) throw new Error(`the payment ${key} was not recorded`);
  book.pay(key, row.payment_id, link);
}

async function deliver(world: ModelWorld, { linkId, key, events }: Checkout, which: number): Promise<void> {
  const event = pick(events, which);
  const link = world.book.links.find((one) => one.id === linkId);
  if (event === undefined || link === undefined) return;
  await world.notify(event);
  await paid(world, key, link);
}

async function complete(world: ModelWorld, checkout: Checkout, held: boolean): Promise<void> {
  try {
    const { events } = await world.stripe.complete(checkout.session, { hold: true });
    checkout.events.push(...events);
  } catch {
    // Another checkout of the link was paid: it is done with.
    return;
  }
  if (!held) for (const index of checkout.events.keys()) await deliver(world, checkout, index);
}

export const payLink = fc.record({ which: latest, held: fc.boolean() }).map(({ which, held }) =>
  step(`pay link ${which}${held ? ", Stripe tells later" : ""}`, async (world) => {
    const checkout = follow(world, which, ["active"]);
    if (checkout !== undefined) await complete(world, checkout, held);
  }),
);

/** A customer follows a link in one of these states; Stripe shows no checkout of what is paid, withdrawn or was not made. */
function follow({ book, stripe, checkouts }: ModelWorld, which: number, states: Link["state"][]): Checkout | undefined {
  const there = book.links.filter(({ part, state }) => part.invoice.currency === "USD" && states.includes(state));
  const link = pick(there, which);
  if (link === undefined) return undefined;
  try {
    const { id, paymentIntent } = stripe.open(link.id);
    const checkout: Checkout = { linkId: link.id, session: id, key: paymentIntent, events: [] };
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
      world.checkouts.filter(({ events }) => events.length === 0),
      which,
    );
    if (checkout !== undefined) await complete(world, checkout, held);
  }),
);

export const notification = fc.record({ which: latest, event: latest }).map(({ which, event }) =>
  step(`notification ${event} of ${which}`, async (world) => {
    const checkout = pick(
      world.checkouts.filter(({ events }) => events.length > 0),
      which,
    );
    if (checkout !== undefined) await deliver(world, checkout, event);
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
    if (link.state === "active") await paid(world, `sandbox_payment_${link.id}`, link);
  }),
);
