import { describe, expect, it } from "vitest";
import { mintKey } from "../../../../src/gateways/payments/gateway.ts";
import { served } from "../../../support/served.ts";
import { connect, failure, request, SECRET_KEY, useStripe } from "../support.ts";

const { stripe, gateway } = useStripe();

describe("a payment link", () => {
  it("is for the exact amount, paid once, and carries our id [completions.7.stripe-link] [facts.stripe.wire]", async () => {
    const asked = request({ description: "Invoice Ä-1 “€” & [x]=y" });
    const link = await gateway.mintLink(asked);
    expect(link).toEqual({
      linkId: asked.linkId,
      providerLinkId: stripe.links[0]?.id,
      url: `${stripe.url}/buy/${stripe.links[0]?.id}`,
      active: true,
    });
    const [seen] = stripe.requests;
    expect(seen).toMatchObject({ method: "POST", path: "/v1/payment_links" });
    expect(seen?.headers).toMatchObject({
      authorization: `Bearer ${SECRET_KEY}`,
      "content-type": "application/x-www-form-urlencoded",
      "stripe-version": "2026-10-28.endive",
      "idempotency-key": `payment-link/${asked.linkId}/1`,
    });
    expect(seen?.headers["stripe-account"]).toBeUndefined();
    const metadata = { receivables_link_id: asked.linkId };
    expect(seen?.params).toEqual({
      line_items: {
        0: {
          quantity: "1",
          price_data: { currency: "usd", unit_amount: "125050", product_data: { name: asked.description } },
        },
      },
      restrictions: { completed_sessions: { limit: "1" } },
      metadata,
      payment_intent_data: { metadata, description: asked.description },
      after_completion: {
        type: "hosted_confirmation",
        hosted_confirmation: { custom_message: expect.stringContaining("Thank you") },
      },
      inactive_message: expect.stringContaining("no longer active"),
    });
  });

  it("is charged in Stripe's unit where it is not ISO's [completions.5.minor-units]", async () => {
    for (const [currency, amountMinor] of [
      ["ISK", 5n],
      ["MGA", 1_200n],
      ["KWD", 5_120n],
    ] as const)
      await gateway.mintLink(request({ currency, amountMinor }));
    const charged = stripe.links.map(({ parameters }) => parameters.line_items[0].price_data.unit_amount);
    expect(charged).toEqual([500, 12, 5_120]);
  });

  it("that cannot be charged is never asked for", async () => {
    const kinds = [];
    for (const over of [
      { currency: "ZZZ" },
      { amountMinor: 0n },
      { currency: "KWD", amountMinor: 5_124n },
      { amountMinor: 10n ** 20n },
    ]) {
      const error = await failure(() => gateway.mintLink(request(over)));
      kinds.push(error.kind);
      expect(error.effectUnknown).toBe(false);
    }
    expect(kinds).toEqual(["currency_not_supported", "amount_too_small", "amount_not_expressible", "amount_too_large"]);
    expect(stripe.requests).toEqual([]);
  });

  it("has a description that is cut, not split, where Stripe has no room for it", async () => {
    await gateway.mintLink(request({ description: "\u{1f4b0}".repeat(300) }));
    expect(stripe.links[0]?.parameters.payment_intent_data.description).toBe("\u{1f4b0}".repeat(250));
  });

  it.each([
    [
      "another link",
      (id: string) => ({
        id: "plink_1",
        url: "https://buy.example",
        metadata: { receivables_link_id: id.replace(/^./, "x") },
      }),
    ],
    [
      "an address that is none",
      (id: string) => ({ id: "plink_1", url: "javascript:1", metadata: { receivables_link_id: id } }),
    ],
    ["nothing", () => ({})],
  ])("is not taken for %s", async (_, body) => {
    const asked = request();
    const url = await served((_request, response) => response.end(JSON.stringify(body(asked.linkId))));
    const error = await failure(() => connect(url).mintLink(asked));
    expect(error).toMatchObject({ kind: "rejected", effectUnknown: true });
  });
});

describe("asking again", () => {
  it("with the same key answers the same link [facts.stripe.idempotency]", async () => {
    const asked = request();
    const links = [await gateway.mintLink(asked), await gateway.mintLink(asked)];
    expect(links[1]).toEqual(links[0]);
    expect(stripe.links).toHaveLength(1);
  });

  it.each(["drop_after", "hang_after"] as const)(
    "after %s finds what the first attempt made [facts.stripe.idempotency]",
    async (mode) => {
      const gateway = connect(stripe.url, mode === "hang_after" ? { timeoutMs: 1_000 } : {});
      const asked = request();
      stripe.control({ mode });
      expect(await failure(() => gateway.mintLink(asked))).toMatchObject({ kind: "unreachable", effectUnknown: true });
      stripe.control({ mode: "ok" });
      expect((await gateway.mintLink(asked)).providerLinkId).toBe(stripe.links[0]?.id);
      expect(stripe.links).toHaveLength(1);
    },
  );

  it("is done by the library itself, with our key, when the connection fails [facts.stripe.idempotency]", async () => {
    const asked = request();
    stripe.control({ mode: "drop_after", times: 1 });
    const link = await connect(stripe.url, { maxNetworkRetries: 1 }).mintLink(asked);
    expect(link.providerLinkId).toBe(stripe.links[0]?.id);
    expect(stripe.links).toHaveLength(1);
    expect(stripe.requests.map(({ headers }) => headers["idempotency-key"])).toEqual([
      asked.idempotencyKey,
      asked.idempotencyKey,
    ]);
  });

  it("for something else with the same key is a conflict [facts.stripe.errors]", async () => {
    const asked = request();
    await gateway.mintLink(asked);
    const error = await failure(() => gateway.mintLink({ ...asked, amountMinor: 1n + asked.amountMinor }));
    expect(error).toMatchObject({ kind: "idempotency_conflict", effectUnknown: true });
    expect(stripe.links).toHaveLength(1);
  });

  it("for a link Stripe failed at gets that failure again, and a new round gets past it [facts.stripe.idempotency]", async () => {
    const asked = request();
    stripe.control({ mode: "500_after" });
    expect(await failure(() => gateway.mintLink(asked))).toMatchObject({
      kind: "unreachable",
      effectUnknown: true,
      replayed: false,
    });
    stripe.control({ mode: "ok" });
    expect(await failure(() => gateway.mintLink(asked))).toMatchObject({ kind: "unreachable", replayed: true });
    const found = await gateway.findLinks(asked.linkId);
    expect(found.links.map((link) => link.providerLinkId)).toEqual([stripe.links[0]?.id]);
    await gateway.mintLink({ ...asked, idempotencyKey: mintKey(asked.linkId, 2) });
    expect(stripe.links).toHaveLength(2);
  });
});

describe("a link at Stripe", () => {
  it("is withdrawn, again without effect, and a missing one is said to be missing", async () => {
    const { providerLinkId } = await gateway.mintLink(request());
    await gateway.deactivateLink(providerLinkId);
    await gateway.deactivateLink(providerLinkId);
    expect(stripe.links[0]?.active).toBe(false);
    expect(stripe.requests[1]?.params).toEqual({ active: "false" });
    expect((await failure(() => gateway.deactivateLink("plink_none"))).kind).toBe("not_found");
  });

  it("is withdrawn on a second try when Stripe failed at the first", async () => {
    const { providerLinkId } = await gateway.mintLink(request());
    stripe.control({ mode: "500", times: 1 });
    expect((await failure(() => gateway.deactivateLink(providerLinkId))).kind).toBe("unreachable");
    await gateway.deactivateLink(providerLinkId);
    expect(stripe.links[0]?.active).toBe(false);
  });

  it("is found by our id among many, each time it was made", async () => {
    const asked = request();
    const first = await gateway.mintLink(asked);
    for (let other = 0; other < 105; other += 1) await gateway.mintLink(request());
    stripe.forgetIdempotencyKeys();
    const second = await gateway.mintLink(asked);
    await gateway.deactivateLink(first.providerLinkId);
    const wanted = asked.linkId;
    expect(await gateway.findLinks(wanted)).toEqual({ links: [second, { ...first, active: false }], complete: true });
    const short = await connect(stripe.url, { maxLinksSearched: 10 }).findLinks(wanted);
    expect(short).toEqual({ links: [second], complete: false });
  });
});
