import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Secrets } from "../../../../src/core/kernel/secrets.ts";
import {
  payToken,
  readPayToken,
  sandboxEvent,
  sandboxPayments,
} from "../../../../src/gateways/payments/sandbox/index.ts";
import { failure, request } from "../support.ts";

const seals = new Secrets(randomBytes(32));
const tenantId = randomUUID();
const gateway = sandboxPayments({ baseUrl: "http://localhost:3000", tenantId, seals });

describe("a sandbox link", () => {
  it("leads to a page that names the link and its workspace [completions.7.sandbox]", async () => {
    const asked = request();
    const link = await gateway.mintLink(asked);
    expect(link.url).toMatch(/^http:\/\/localhost:3000\/pay\/[\w-]{64}$/);
    expect(readPayToken(seals, link.url.slice(-64))).toEqual({ tenantId, linkId: asked.linkId });
    expect(await gateway.mintLink(asked)).toEqual(link);
    expect((await gateway.mintLink(request())).url).not.toBe(link.url);
  });

  it("charges any currency, exactly, and nothing that is not above zero", async () => {
    expect(gateway.chargeStep("KWD")).toBe(1n);
    expect((await gateway.checkAccount()).currencies).toBeNull();
    expect((await failure(() => gateway.mintLink(request({ amountMinor: 0n })))).kind).toBe("amount_too_small");
  });

  it("is withdrawn in the store alone", async () => {
    const { linkId, providerLinkId } = await gateway.mintLink(request());
    await gateway.deactivateLink(providerLinkId);
    expect(await gateway.findLinks(linkId)).toEqual({ links: [], complete: true });
  });
});

describe("a pay page's token", () => {
  const page = { tenantId, linkId: randomUUID() };
  const token = payToken(seals, page);

  it("is read back for every workspace and link", () => {
    const property = fc.property(fc.uuid(), fc.uuid(), (tenant, link) => {
      const made = { tenantId: tenant, linkId: link };
      expect(readPayToken(seals, payToken(seals, made))).toEqual(made);
    });
    fc.assert(property, { numRuns: 50 });
  });

  it("altered in any place is none [completions.7.sandbox]", () => {
    for (let place = 0; place < token.length; place += 1) {
      const other = token[place] === "A" ? "B" : "A";
      expect(readPayToken(seals, token.slice(0, place) + other + token.slice(place + 1))).toBeNull();
    }
  });

  it.each(["", token.slice(0, -1), `${token}A`, token.slice(0, 43), `${token.slice(0, -1)}=`, ` ${token.slice(1)}`])(
    "%j is none",
    (text) => {
      expect(readPayToken(seals, text)).toBeNull();
    },
  );

  it("of another service's key is none [completions.7.sandbox]", () => {
    expect(readPayToken(new Secrets(randomBytes(32)), token)).toBeNull();
  });

  it("is made of ids alone", () => {
    expect(() => payToken(seals, { ...page, linkId: "1" })).toThrow(RangeError);
  });
});

describe("a sandbox payment", () => {
  const linkId = randomUUID();
  const paid = {
    linkId,
    providerEventId: "evt-1",
    occurredAt: "2026-10-01T10:00:00.000Z",
    amountMinor: 10n ** 20n + 1n,
    currency: "KWD",
  };

  it("is confirmed to the last digit, as one payment however often it is said", () => {
    const confirmed = {
      type: "payment_confirmed",
      ...paid,
      livemode: false,
      providerLinkId: `sandbox_link_${linkId}`,
      providerPaymentId: `sandbox_payment_${linkId}`,
    };
    expect(sandboxEvent("payment_confirmed", paid)).toMatchObject(confirmed);
    const again = sandboxEvent("payment_confirmed", { ...paid, providerEventId: "evt-2" });
    expect(again).toMatchObject({ ...confirmed, providerEventId: "evt-2" });
  });

  it("nobody else can say [completions.7.sandbox]", async () => {
    const body = Buffer.from(JSON.stringify({ type: "payment_confirmed", link_id: linkId }));
    for (const seal of [undefined, "", seals.seal("sandbox payment event", body.toString()).toString("hex")])
      expect((await failure(() => gateway.verifyEvents(body, seal))).kind).toBe("signature_invalid");
  });
});
