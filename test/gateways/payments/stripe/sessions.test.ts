import { describe, expect, it } from "vitest";
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
