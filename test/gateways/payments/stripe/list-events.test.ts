import { describe, expect, it } from "vitest";
import type { PaymentEvent, PaymentGateway, UnreadableEvent } from "../../../../src/gateways/payments/gateway.ts";
import { livemodeOfKey } from "../../../../src/gateways/payments/stripe/client.ts";
import { inTurns, STRIPE_EVENT_TYPES } from "../../../../src/gateways/payments/stripe/events.ts";
import { served } from "../../../support/served.ts";
import { connect, failure, request, SECRET_KEY, useStripe } from "../support.ts";

const EPOCH = "1970-01-01T00:00:00.000Z";

async function readAll(gateway: PaymentGateway, since = EPOCH, signal?: AbortSignal) {
  const events: (PaymentEvent | UnreadableEvent)[] = [];
  for await (const event of gateway.readEvents({ since, signal })) events.push(event);
  return events;
}

const { stripe, gateway } = useStripe();

describe("Stripe's list of events", () => {
  it("is read oldest first, with what was never told [facts.stripe.events]", async () => {
    const asked = request();
    await gateway.mintLink(asked);
    const { paymentIntent } = await stripe.pay(asked.linkId, { hold: true });
    await stripe.refund(paymentIntent, 100);
    await stripe.dispute(paymentIntent);
    expect((await readAll(gateway)).map((event) => [event.type, event.providerEventId])).toEqual(
      ["payment_confirmed", "payment_confirmed", "payment_refunded", "payment_disputed"].map((type, index) => [
        type,
        stripe.events[index]?.id,
      ]),
    );
    const [first] = stripe.requests.filter(({ path }) => path === "/v1/events");
    expect(first?.params).toMatchObject({ created: { gte: "0" }, limit: "100" });
    expect(Object.values(Object(first?.params).types)).toEqual([...STRIPE_EVENT_TYPES]);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await readAll(gateway, later)).toEqual([]);
  });

  it.each([true, false])(
    "ends with an error where the same page comes again and again, with more to come: %s [facts.stripe.events]",
    async (has_more) => {
      const event = { id: "evt_1", object: "event", type: "customer.created", created: 1, livemode: false };
      const body = JSON.stringify({
        object: "list",
        url: "/v1/events",
        has_more,
        data: [{ ...event, data: { object: {} } }],
      });
      const url = await served((_request, response) => {
        response.setHeader("Content-Type", "application/json");
        response.end(body);
      });
      expect(await failure(() => readAll(connect(url)))).toMatchObject({ kind: "rejected" });
    },
  );

  it("is read to a bound, where it never ends [facts.inputs.bounded]", async () => {
    const asked: unknown[] = [];
    const pageOf = inTurns(async (more) => asked.push(more), 2);
    await pageOf({});
    await pageOf({ starting_after: "evt_2" });
    await expect(pageOf({ starting_after: "evt_1" })).rejects.toMatchObject({ kind: "rejected" });
    expect(asked).toEqual([{}, { starting_after: "evt_2" }]);
  });

  it("of many pages comes in order, each event once, with those that happen meanwhile [facts.stripe.events]", async () => {
    const asked = request();
    const link = await gateway.mintLink(asked);
    for (let round = 0; round < 125; round += 1) {
      for (const active of ["false", "true"])
        await fetch(`${stripe.url}/v1/payment_links/${link.providerLinkId}`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${SECRET_KEY}`,
            "Stripe-Version": "2026-10-28.endive",
            "Content-Type": "application/x-www-form-urlencoded",
          },
          body: `active=${active}`,
        });
    }
    const seen: string[] = [];
    for await (const event of gateway.readEvents({ since: EPOCH })) {
      if (seen.length === 0) await stripe.pay(asked.linkId);
      seen.push(event.providerEventId);
    }
    expect(seen).toEqual(stripe.events.map((event) => event.id));
    expect(seen).toHaveLength(252);
  });

  it("shows one that cannot be understood among the others [facts.stripe.events]", async () => {
    const events = [
      { id: "evt_2", created: 2, livemode: true },
      { id: "evt_1", created: 1, livemode: false },
    ].map((event) => ({
      ...{
        ...event,
        object: "event",
        type: "checkout.session.completed",
        data: { object: { payment_status: "paid" } },
      },
    }));
    const url = await served((asked, response) => {
      const data = asked.url?.includes("ending_before") ? [] : events;
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ object: "list", has_more: false, url: "/v1/events", data }));
    });
    expect(await readAll(connect(url))).toMatchObject([
      { type: "ignored", providerEventId: "evt_1", occurredAt: "1970-01-01T00:00:01.000Z", livemode: false },
      { type: "ignored", providerEventId: "evt_2", livemode: true },
    ]);
    for (const event of events) Object.assign(event, { data: { object: {} } });
    expect(await readAll(connect(url))).toMatchObject([
      { type: "unreadable", providerEventId: "evt_1", occurredAt: "1970-01-01T00:00:01.000Z" },
      { type: "unreadable", providerEventId: "evt_2" },
    ]);
    for (const created of [8.64e12 + 1, -1e15, null, "soon"]) {
      Object.assign(events[0] ?? {}, { created });
      expect(await readAll(connect(url))).toMatchObject([
        { type: "unreadable", providerEventId: "evt_1" },
        { type: "unreadable", providerEventId: "evt_2", occurredAt: null },
      ]);
    }
  });

  it("that a key may not read is a refusal, and silence is not [facts.stripe.events]", async () => {
    for (const [mode, kind] of [
      ["403", "authentication_failed"],
      ["401", "authentication_failed"],
      ["503", "unreachable"],
      ["drop", "unreachable"],
    ] as const) {
      stripe.control({ mode, path: "/v1/events" });
      const error = await failure(() => readAll(gateway));
      expect(error.kind).toBe(kind);
      expect(error.message).not.toContain(SECRET_KEY);
    }
  });

  it("ends with the signal's reason", async () => {
    const asked = request();
    await gateway.mintLink(asked);
    await stripe.pay(asked.linkId);
    const stop = new AbortController();
    const reason = new Error("stopping");
    stop.abort(reason);
    await expect(readAll(gateway, EPOCH, stop.signal)).rejects.toBe(reason);
  });

  it.each([
    ["sk_test_1", false],
    ["rk_test_1", false],
    ["sk_live_1", true],
    ["rk_live_1", true],
    ["sk_org_live_1", true],
    ["sk_org_test_1", false],
    ["forgotten", null],
  ])("a key %s is of livemode %s [completions.12.livemode]", (secretKey, livemode) => {
    expect(livemodeOfKey(secretKey)).toBe(livemode);
  });
});
