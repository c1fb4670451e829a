import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import type { PaymentEvent } from "../../../../src/gateways/payments/gateway.ts";
import { connect, failure, receiver, request, simulator, WEBHOOK_SECRET } from "../support.ts";

/** A simulator that posts to a receiver, the gateway, and a link with the simulator's customers behind it. */
async function paying(over: Parameters<typeof request>[0] = {}) {
  const { url, received } = await receiver();
  const stripe = await simulator({ webhook: { url, secret: WEBHOOK_SECRET } });
  const gateway = connect(stripe.url);
  const asked = request(over);
  const link = await gateway.mintLink(asked);
  const heard = (): PaymentEvent[] => received.flatMap(({ body, signature }) => gateway.verifyEvents(body, signature));
  return { stripe, gateway, asked, link, received, heard };
}

const gateway = connect("http://localhost:1");

/** Has the gateway read an event made by hand, signed by Stripe's own library. */
function read(event: unknown, verifier = gateway): PaymentEvent[] {
  const payload = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
  return verifier.verifyEvents(Buffer.from(payload), signature);
}

const event = (type: string, object: unknown, over: object = {}) => ({
  id: "evt_1",
  object: "event",
  created: 1_790_000_000,
  livemode: false,
  type,
  data: { object },
  ...over,
});

const session = {
  payment_status: "paid",
  payment_link: "plink_1",
  payment_intent: "pi_1",
  amount_total: 500,
  currency: "usd",
  metadata: { receivables_link_id: "0190f0f0-0000-7000-8000-000000000001" },
};

describe("a payment", () => {
  it("is confirmed once it is paid, by events that name one payment [completions.7.stripe-webhook]", async () => {
    const { stripe, asked, link, heard } = await paying({ currency: "ISK", amountMinor: 70n });
    const { paymentIntent, deliveries } = await stripe.pay(asked.linkId);
    expect(deliveries).toEqual([200, 200]);
    const confirmed = {
      type: "payment_confirmed",
      linkId: asked.linkId,
      providerPaymentId: paymentIntent,
      amountMinor: 70n,
      currency: "ISK",
      livemode: false,
      providerEventId: expect.stringMatching(/^evt_/),
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    };
    expect(heard()).toEqual([
      { ...confirmed, providerLinkId: null },
      { ...confirmed, providerLinkId: link.providerLinkId },
    ]);
    expect(new Set(heard().map(({ providerEventId }) => providerEventId)).size).toBe(2);
  });

  it("made while its link was withdrawn is told of [completions.7.stripe-late]", async () => {
    const { stripe, gateway, asked, link, heard } = await paying();
    const debit = await stripe.pay(link.providerLinkId, { delayed: true });
    await gateway.deactivateLink(link.providerLinkId);
    expect(() => stripe.open(link.providerLinkId)).toThrow("not active");
    await stripe.finishDebit(debit.session, true);
    const types = ["ignored", "link_changed", "payment_confirmed", "payment_confirmed"];
    expect(heard().map(({ type }) => type)).toEqual(types);
    expect(heard()[3]).toMatchObject({ linkId: asked.linkId, amountMinor: 125_050n, currency: "USD" });
  });

  it("by bank debit is confirmed when it is through, not before", async () => {
    const { stripe, asked, heard } = await paying();
    const { session, paymentIntent } = await stripe.pay(asked.linkId, { delayed: true });
    expect(heard()).toMatchObject([{ type: "ignored" }]);
    await stripe.finishDebit(session, true);
    expect(heard().slice(1)).toMatchObject([
      { type: "payment_confirmed", providerPaymentId: paymentIntent },
      { type: "payment_confirmed", providerPaymentId: paymentIntent },
    ]);
  });

  it("by bank debit that fails is a failure", async () => {
    const { stripe, asked, link, heard } = await paying();
    const { session, paymentIntent } = await stripe.pay(asked.linkId, { delayed: true });
    await stripe.finishDebit(session, false);
    expect(heard()[1]).toMatchObject({
      type: "payment_failed",
      linkId: asked.linkId,
      providerLinkId: link.providerLinkId,
      providerPaymentId: paymentIntent,
      linkSpent: true,
    });
  });

  it("refunded or disputed at Stripe is told of", async () => {
    const { stripe, asked, received, heard } = await paying();
    const { paymentIntent: providerPaymentId } = await stripe.pay(asked.linkId);
    received.splice(0);
    await stripe.refund(providerPaymentId, 50);
    await stripe.refund(providerPaymentId);
    await stripe.dispute(providerPaymentId);
    await stripe.dispute(providerPaymentId, "lost");
    const refund = { type: "payment_refunded", providerPaymentId, linkId: asked.linkId, currency: "USD" };
    const dispute = { type: "payment_disputed", providerPaymentId, amountMinor: 125_050n, currency: "USD" };
    expect(heard()).toMatchObject([
      { ...refund, refundedMinor: 50n },
      { ...refund, refundedMinor: 125_050n },
      { ...dispute, disputed: true, closed: false },
      { ...dispute, disputed: true, closed: true },
    ]);
  });
});

describe("a notification", () => {
  it("sent twice says the same with the same id; late and out of order is as good [completions.7.stripe-webhook]", async () => {
    const { stripe, asked, heard } = await paying();
    const { events } = await stripe.pay(asked.linkId, { hold: true });
    expect(heard()).toEqual([]);
    for (const held of events.toReversed()) expect(await stripe.deliver(held, { times: 2 })).toEqual([200, 200]);
    const [first, second, third, fourth] = heard();
    expect(second).toEqual(first);
    expect(fourth).toEqual(third);
    expect(first?.providerEventId).not.toBe(third?.providerEventId);
  });

  const spoiled: Array<[string, Parameters<Awaited<ReturnType<typeof simulator>>["deliver"]>[1]]> = [
    ["with another secret", { secret: "whsec_other" }],
    ["and then altered", { alter: (payload) => payload.replace("125050", "1") }],
    ["and then set otherwise", { alter: (payload) => JSON.stringify(JSON.parse(payload)) }],
    ["too long ago", { ageSeconds: 301 }],
  ];
  it.each(spoiled)("signed %s is refused [completions.7.stripe-webhook]", async (_, options) => {
    const { stripe, gateway, asked, received } = await paying();
    const { events } = await stripe.pay(asked.linkId, { hold: true });
    for (const held of events) await stripe.deliver(held, options);
    for (const { body, signature } of received)
      expect((await failure(() => gateway.verifyEvents(body, signature))).kind).toBe("signature_invalid");
    expect(received).toHaveLength(2);
  });

  it("is taken within the tolerance, and not again once it is over [completions.7.stripe-webhook]", async () => {
    const { stripe, asked, received } = await paying();
    await stripe.pay(asked.linkId);
    const later = (seconds: number) => {
      const gateway = connect(stripe.url, { now: () => new Date(Date.now() + seconds * 1000) });
      return received.flatMap(({ body, signature }) => gateway.verifyEvents(body, signature));
    };
    expect(later(290)).toHaveLength(2);
    expect((await failure(() => later(310))).kind).toBe("signature_invalid");
  });

  it.each([undefined, "", "t=1", "v1=00", "t=x,v1=00", "t=1,v1=00,v1=11", `t=${Math.floor(Date.now() / 1000)},v1=`])(
    "with the signature %s is refused",
    async (signature) => {
      const error = await failure(() => gateway.verifyEvents(Buffer.from("{}"), signature));
      expect(error.kind).toBe("signature_invalid");
      expect((await failure(() => gateway.verifyEvents(Buffer.alloc(0), signature))).kind).toBe("signature_invalid");
    },
  );

  it.each([
    "no json",
    "null",
    "[]",
    '{"object":"v2.core.event","id":"evt_1","type":"x"}',
    '{"id":"evt_1","type":"x","created":1e300,"data":{"object":{}}}',
  ])("that is %s is not understood", async (payload) => {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
    expect((await failure(() => gateway.verifyEvents(Buffer.from(payload), signature))).kind).toBe("rejected");
  });

  it.each([
    ["no payment", { ...session, payment_intent: null }, "rejected"],
    ["no amount", { ...session, amount_total: null }, "rejected"],
    ["half a cent", { ...session, amount_total: 0.5 }, "rejected"],
    ["an amount below zero", { ...session, amount_total: -5 }, "rejected"],
    ["an id longer than any of Stripe's", { ...session, payment_intent: "a".repeat(256) }, "rejected"],
    ["an id that turns a line around", { ...session, payment_intent: "pi_\u202e1" }, "rejected"],
    ["an amount beyond exactness", { ...session, amount_total: 2 ** 53 }, "rejected"],
    ["an unknown currency", { ...session, currency: "zzz" }, "currency_not_supported"],
    ["half a króna", { ...session, currency: "isk", amount_total: 150 }, "amount_not_expressible"],
  ])("of a payment with %s is not swallowed", async (_, object, kind) => {
    expect((await failure(() => read(event("checkout.session.completed", object)))).kind).toBe(kind);
  });

  it("may show objects in full, and metadata that somebody changed", () => {
    const object = {
      ...session,
      payment_link: { id: "plink_9", object: "payment_link" },
      payment_intent: { id: "pi_9" },
      metadata: { receivables_link_id: "' or 1=1" },
    };
    expect(read(event("checkout.session.completed", object))).toEqual([
      {
        type: "payment_confirmed",
        providerEventId: "evt_1",
        occurredAt: "2026-09-21T14:13:20.000Z",
        linkId: null,
        providerLinkId: "plink_9",
        providerPaymentId: "pi_9",
        amountMinor: 500n,
        currency: "USD",
        livemode: false,
      },
    ]);
  });

  const stranger = { ...session, payment_link: null, metadata: {} };
  const subscription = { ...session, payment_link: "plink_theirs", payment_intent: null, metadata: {} };
  it.each([
    ["customer.created", {}, "events of type customer.created"],
    ["constructor", {}, "events of type constructor"],
    ["checkout.session.expired", session, "events of type checkout.session.expired"],
    ["checkout.session.completed", { ...session, payment_status: "no_payment_required" }, "a session without payment"],
    ["checkout.session.completed", stranger, "a checkout session that came from no payment link"],
    ["checkout.session.completed", subscription, "a checkout session that is no payment of the service"],
    ["checkout.session.async_payment_succeeded", subscription, "a checkout session that is no payment of the service"],
    ["checkout.session.async_payment_failed", stranger, "a checkout session that came from no payment link"],
    [
      "payment_intent.succeeded",
      { id: "pi_1", amount_received: 5, currency: "usd", metadata: {} },
      "a payment that names no link of the service",
    ],
    [
      "charge.refunded",
      { payment_intent: null, amount_refunded: 5, currency: "usd" },
      "a charge without a payment intent",
    ],
    [
      "charge.dispute.created",
      { payment_intent: null, amount: 5, currency: "usd", status: "x" },
      "a dispute without a payment intent",
    ],
  ])("of %s %# is nothing to the service", (type, object, _why) => {
    expect(read(event(type, object))).toMatchObject([{ type: "ignored", providerEventId: "evt_1" }]);
  });

  it("of another account is nothing to the service", () => {
    const completed = event("checkout.session.completed", session, { account: "acct_1" });
    expect(read(completed)).toMatchObject([{ type: "ignored" }]);
  });
});
