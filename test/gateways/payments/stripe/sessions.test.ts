import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minorDigits } from "../../../../src/core/kernel/currencies.ts";
import {
  fromStripeAmount,
  STRIPE_CURRENCIES,
  stripeStep,
  toStripeAmount,
} from "../../../../src/gateways/payments/stripe/currencies.ts";
import { failure, request, useStripe } from "../support.ts";

const { stripe, gateway } = useStripe();

/** A link at the simulator. */
async function linked() {
  const link = await gateway.mintLink(request());
  return { link, deactivate: () => gateway.deactivateLink(link.providerLinkId) };
}

describe("open checkouts of a withdrawn link", () => {
  it("are expired, all pages of them, and nobody pays by one any more [completions.12.checkouts]", async () => {
    const { link, deactivate } = await linked();
    const other = await gateway.mintLink(request());
    const kept = stripe.open(other.providerLinkId);
    const sessions = Array.from({ length: 120 }, () => stripe.open(link.providerLinkId));
    await deactivate();
    expect(new Set(sessions.map(({ status }) => status))).toEqual(new Set(["expired"]));
    await expect(stripe.complete(sessions[0]?.id ?? "")).rejects.toThrow("expired");
    expect(kept.status).toBe("open");
    const acts = stripe.requests.map(({ method, path }) => `${method} ${path.replace(/\/cs_test_\w+/, "/…")}`);
    // The link first, or another checkout could be opened meanwhile.
    expect(acts.indexOf(`POST /v1/payment_links/${link.providerLinkId}`)).toBeLessThan(
      acts.indexOf("GET /v1/checkout/sessions"),
    );
    expect(acts.lastIndexOf("GET /v1/checkout/sessions")).toBeLessThan(
      acts.indexOf("POST /v1/checkout/sessions/…/expire"),
    );
  });

  it("are expired a thousand at a time, for a list may have no end [facts.inputs.bounded]", async () => {
    const { link, deactivate } = await linked();
    const sessions = Array.from({ length: 1_001 }, () => stripe.open(link.providerLinkId));
    const open = () => sessions.filter(({ status }) => status === "open").length;
    expect([(await failure(deactivate)).kind, open()]).toEqual(["unreachable", 1]);
    await deactivate();
    expect(open()).toBe(0);
  });

  it("that were paid already are left alone, and again nothing changes [completions.12.checkouts]", async () => {
    const { link, deactivate } = await linked();
    const open = stripe.open(link.providerLinkId);
    await stripe.pay(link.providerLinkId);
    await deactivate();
    await deactivate();
    expect(open.status).toBe("expired");
    expect(stripe.requests.filter(({ path }) => path.endsWith("/expire"))).toHaveLength(1);
  });

  it("that is paid in the very moment is no error [completions.12.checkouts]", async () => {
    const { link, deactivate } = await linked();
    const session = stripe.open(link.providerLinkId);
    stripe.control({ path: "/v1/checkout/sessions/", latency_ms: 300 });
    const withdrawn = deactivate();
    await expect.poll(() => stripe.requests.some(({ path }) => path.endsWith("/expire"))).toBe(true);
    await stripe.complete(session.id);
    await withdrawn;
    expect(session).toMatchObject({ status: "complete", paymentStatus: "paid" });
  });

  it("that cannot be expired now leave the withdrawal to be repeated [completions.12.checkouts]", async () => {
    const { link, deactivate } = await linked();
    const session = stripe.open(link.providerLinkId);
    for (const [mode, kind] of [
      ["503", "unreachable"],
      ["403", "authentication_failed"],
      ["drop_after", "unreachable"],
    ] as const) {
      stripe.control({ mode, path: "/v1/checkout/sessions" });
      expect((await failure(deactivate)).kind).toBe(kind);
      expect(stripe.links[0]?.active).toBe(false);
    }
    stripe.control({ mode: "ok" });
    await deactivate();
    expect(session.status).toBe("expired");
  });
});

/** Digits of the integers in Stripe's API, where they are not those of ISO 4217 (docs.stripe.com/currencies). */
const STRIPE_DIGITS: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 };
const stripeDigits = (code: string): number => STRIPE_DIGITS[code] ?? minorDigits(code) ?? Number.NaN;

const currency = fc.constantFrom(...STRIPE_CURRENCIES);
const amount = fc.bigInt({ min: 1n, max: 10n ** 12n });

describe("an amount at Stripe", () => {
  it.each([
    ["USD", 123_456n, 123_456n],
    ["JPY", 500n, 500n],
    ["KWD", 5_120n, 5_120n],
    ["ISK", 5n, 500n],
    ["UGX", 7_000n, 700_000n],
    ["MGA", 1_200n, 12n],
    ["HUF", 1_050n, 1_050n],
    ["TWD", 80_045n, 80_045n],
  ])("%s %s is %s [completions.5.minor-units]", (code, minor, stripe) => {
    expect(toStripeAmount(minor, code)).toBe(stripe);
    expect(fromStripeAmount(stripe, code.toLowerCase())).toEqual({ amountMinor: minor, currency: code });
  });

  it.each([
    ["KWD", 5_124n, "amount_not_expressible"],
    ["MGA", 1_250n, "amount_not_expressible"],
    ["USD", 0n, "amount_too_small"],
    ["JPY", -1n, "amount_too_small"],
    ["XTS", 100n, "currency_not_supported"],
    ["CLF", 100n, "currency_not_supported"],
    ["IQD", 100n, "currency_not_supported"],
    ["usd", 100n, "currency_not_supported"],
    ["ZZZ", 100n, "currency_not_supported"],
    ["constructor", 100n, "currency_not_supported"],
  ])("%s %s is refused as %s", async (code, minor, kind) => {
    expect((await failure(() => toStripeAmount(minor, code))).kind).toBe(kind);
  });

  it("of Stripe's that has a fraction of a minor unit, or an unknown code, is refused", async () => {
    expect((await failure(() => fromStripeAmount(150n, "isk"))).kind).toBe("amount_not_expressible");
    expect((await failure(() => fromStripeAmount(150n, "zzz"))).kind).toBe("currency_not_supported");
  });

  it("comes back the same, and is worth the same in major units", () => {
    const property = fc.property(currency, amount, (code, count) => {
      const minor = count * (stripeStep(code) ?? 1n);
      const stripe = toStripeAmount(minor, code);
      expect(fromStripeAmount(stripe, code.toLowerCase())).toEqual({ amountMinor: minor, currency: code });
      const iso = minorDigits(code) ?? Number.NaN;
      expect(stripe * 10n ** BigInt(iso)).toBe(minor * 10n ** BigInt(stripeDigits(code)));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("can be charged exactly when it is a multiple of the step", () => {
    const property = fc.property(currency, amount, (code, minor) => {
      let refused = false;
      try {
        toStripeAmount(minor, code);
      } catch {
        refused = true;
      }
      expect(refused).toBe(minor % (stripeStep(code) ?? 1n) !== 0n);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("is known for currencies of ISO 4217 alone, each once", () => {
    expect(STRIPE_CURRENCIES.filter((code) => minorDigits(code) === undefined)).toEqual([]);
    expect(new Set(STRIPE_CURRENCIES).size).toBe(STRIPE_CURRENCIES.length);
    expect(STRIPE_CURRENCIES.length).toBe(156);
    expect(stripeStep("ZZZ")).toBeNull();
  });
});
