import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { StripeSimulatorOptions } from "../../../../src/simulators/stripe/index.ts";
import { sign } from "../../../../src/simulators/stripe/webhooks.ts";
import { receiver, SECRET_KEY, simulator } from "../support.ts";

const FORM =
  "line_items[0][quantity]=1&line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=500" +
  "&line_items[0][price_data][product_data][name]=Invoice&metadata[ours]=link-1" +
  "&restrictions[completed_sessions][limit]=1";
const HEADERS = {
  Authorization: `Bearer ${SECRET_KEY}`,
  "Stripe-Version": "2026-10-28.endive",
  "Content-Type": "application/x-www-form-urlencoded",
};

const Body = z.looseObject({
  id: z.string().default(""),
  error: z.looseObject({ type: z.string(), code: z.string().optional() }).default({ type: "" }),
  data: z.array(z.looseObject({ id: z.string() })).default([]),
  has_more: z.boolean().default(false),
});

async function tenant(options: StripeSimulatorOptions = {}) {
  const stripe = await simulator(options);
  const call = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const init = { method, headers: { ...HEADERS, ...headers }, ...(body === undefined ? {} : { body }) };
    const response = await fetch(`${stripe.url}${path}`, init);
    return { status: response.status, headers: response.headers, body: Body.parse(await response.json()) };
  };
  const create = (body = FORM, headers = {}) => call("POST", "/v1/payment_links", body, headers);
  const control = (body: unknown) =>
    fetch(`${stripe.url}/_control`, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  return { stripe, call, create, control };
}

describe("the Stripe simulator", () => {
  it.each([
    ["another key", { Authorization: "Bearer sk_test_other" }, 401],
    ["no scheme", { Authorization: SECRET_KEY }, 401],
    ["JSON", { "Content-Type": "application/json" }, 400],
    ["no version", { "Stripe-Version": "latest" }, 400],
    ["an account that is not connected", { "Stripe-Account": "acct_9" }, 403],
    ["a key that is too long", { "Idempotency-Key": "k".repeat(256) }, 400],
  ])("refuses %s", async (_, headers, status) => {
    const { stripe, create } = await tenant();
    expect((await create(FORM, headers)).status).toBe(status);
    expect(stripe.links).toEqual([]);
  });

  it.each([
    [FORM.replace("metadata[ours]", "meta[ours]"), "parameter_unknown", "meta"],
    [`${FORM}&line_items[0][adjustable]=1`, "parameter_unknown", "line_items[0][adjustable]"],
    [FORM.replace("quantity]=1", "quantity]=2"), "parameter_invalid", "line_items[0][quantity]"],
    [FORM.replace("=500", "=5.5"), "parameter_invalid", "line_items[0][price_data][unit_amount]"],
    [FORM.replace("=500", "=49"), "amount_too_small", "line_items[0][price_data][unit_amount]"],
    [FORM.replace("=500", "=100000000"), "amount_too_large", "line_items[0][price_data][unit_amount]"],
    [
      FORM.replace("=usd", "=kwd").replace("=500", "=501"),
      "parameter_invalid",
      "line_items[0][price_data][unit_amount]",
    ],
    [
      FORM.replace("=usd", "=isk").replace("=500", "=550"),
      "parameter_invalid",
      "line_items[0][price_data][unit_amount]",
    ],
    [FORM.replace("=usd", "=USD"), "parameter_invalid", "line_items[0][price_data][currency]"],
    [FORM.replace("=usd", "=zzz"), undefined, "line_items[0][price_data][currency]"],
    [`${FORM}&metadata[ours]=2`, undefined, "metadata[ours]"],
    [`${FORM}&metadata[ours][x]=2`, undefined, "metadata[ours][x]"],
    ["line_items[0=1", undefined, "line_items[0"],
    ["", "parameter_invalid", "line_items"],
  ])("refuses the form %s", async (form, code, param) => {
    const { stripe, create } = await tenant();
    const { status, body } = await create(form);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: "invalid_request_error", param, message: expect.any(String) });
    expect(body.error.code).toBe(code);
    expect(stripe.links).toEqual([]);
  });

  it("gives a key's first answer again, and refuses the key to others", async () => {
    const { stripe, create, call } = await tenant({ connected: ["acct_1"] });
    const key = { "Idempotency-Key": "k1" };
    const first = await create(FORM, key);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    await call("POST", `/v1/payment_links/${first.body.id}`, "active=false");
    const second = await create(FORM, key);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
    const other = await create(FORM.replace("=500", "=600"), key);
    expect([other.status, other.body.error.type]).toEqual([400, "idempotency_error"]);
    expect((await create(FORM, { ...key, "Stripe-Account": "acct_1" })).status).toBe(200);
    stripe.forgetIdempotencyKeys();
    expect((await create(FORM.replace("=500", "=600"), key)).status).toBe(200);
    expect(stripe.links).toHaveLength(3);
  });

  it("keeps no refusal for a key, and says when it is in use", async () => {
    const { stripe, create } = await tenant();
    const key = { "Idempotency-Key": "k1" };
    expect((await create("", key)).status).toBe(400);
    stripe.control({ mode: "429", times: 1 });
    expect((await create(FORM, key)).status).toBe(429);
    stripe.control({ mode: "ok", latency_ms: 100 });
    const [one, two] = await Promise.all([create(FORM, key), create(FORM, key)]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
    expect(stripe.links).toHaveLength(1);
  });

  it("retrieves, updates and lists an account's links, newest first", async () => {
    const { stripe, create, call } = await tenant({ connected: ["acct_1"] });
    for (let made = 0; made < 3; made += 1) await create();
    await create(FORM, { "Stripe-Account": "acct_1" });
    const [a, b, c, d] = stripe.links.map(({ id }) => id);
    expect((await call("GET", `/v1/payment_links/${a}`)).body).toMatchObject({ id: a, active: true });
    expect((await call("GET", `/v1/payment_links/${d}`)).body.error.code).toBe("resource_missing");
    await call("POST", `/v1/payment_links/${a}`, "active=false&metadata[more]=1");
    expect(stripe.links[0]).toMatchObject({ active: false, metadata: { ours: "link-1", more: "1" } });
    const ids = async (query: string) => {
      const { body } = await call("GET", `/v1/payment_links?${query}`);
      return [body.data.map(({ id }) => id), body.has_more];
    };
    expect(await ids("limit=2")).toEqual([[c, b], true]);
    expect(await ids(`limit=2&starting_after=${b}`)).toEqual([[a], false]);
    expect(await ids("active=true")).toEqual([[c, b], false]);
    expect((await call("GET", "/v1/payment_links?limit=101")).status).toBe(400);
    expect((await call("GET", "/v1/coupons")).status).toBe(404);
  });

  it("signs as Stripe's library does", () => {
    const [payload, secret, timestamp] = ['{"ä":"\u{1f4b0}"}', "whsec_1", 1_790_000_000];
    const theirs = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    expect(sign(payload, secret, timestamp)).toBe(theirs);
  });
});

describe("a simulated customer", () => {
  it("pays a link once, whichever checkout is first", async () => {
    const { stripe, create } = await tenant();
    await create();
    const [one, two] = [stripe.open("link-1"), stripe.open("link-1")];
    await stripe.complete(two.id);
    await expect(stripe.complete(two.id)).rejects.toThrow("complete");
    await expect(stripe.complete(one.id)).rejects.toThrow("has been paid");
    await expect(stripe.pay("link-1")).rejects.toThrow("has been paid");
    await expect(stripe.pay("link-2")).rejects.toThrow("no payment link");
    expect(stripe.links[0]?.completed).toBe(1);
    expect(stripe.events.map(({ type }) => type)).toEqual(["payment_intent.succeeded", "checkout.session.completed"]);
  });

  it("is told of until somebody takes it", async () => {
    let status = 500;
    const { url, received } = await receiver(() => status);
    const { stripe, create } = await tenant({ webhook: { url: "http://127.0.0.1:1", secret: "whsec_1" } });
    await create();
    expect((await stripe.pay("link-1")).deliveries).toEqual([0, 0]);
    stripe.setWebhook({ url, secret: "whsec_1" });
    expect(await stripe.deliverPending()).toEqual([500, 500]);
    status = 204;
    expect(await stripe.deliverPending()).toEqual([204, 204]);
    expect(await stripe.deliverPending()).toEqual([]);
    expect(received).toHaveLength(4);
  });

  it("can be moved over HTTP", async () => {
    const { url, received } = await receiver();
    const { stripe, create, control } = await tenant({ webhook: { url, secret: "whsec_1" } });
    await create();
    const paid = await control({ pay: "link-1", hold: true });
    expect(await paid.json()).toMatchObject({ paymentIntent: expect.stringMatching(/^pi_/), deliveries: [] });
    expect((await control({ pay: "link-1" })).status).toBe(400);
    expect(await (await control({ deliver: "pending" })).json()).toEqual({ deliveries: [200, 200] });
    expect(received).toHaveLength(2);
    expect(stripe.links[0]?.completed).toBe(1);
  });
});

describe("faults", () => {
  it.each(["401", "403", "429", "500", "503", "500_after"] as const)("%s until it is ok again", async (mode) => {
    const { stripe, create, control } = await tenant();
    expect((await control({ mode, after: 1, times: 1 })).status).toBe(200);
    expect([(await create()).status, (await create()).status, (await create()).status]).toEqual([
      200,
      Number.parseInt(mode, 10),
      200,
    ]);
    expect(stripe.links).toHaveLength(mode === "500_after" ? 3 : 2);
  });

  it.each(["drop", "hang", "drop_after", "hang_after"] as const)("%s gives no answer", async (mode) => {
    const { stripe, control } = await tenant();
    await control({ mode });
    const signal = AbortSignal.timeout(mode.startsWith("hang") ? 150 : 30_000);
    const sent = fetch(`${stripe.url}/v1/payment_links`, { method: "POST", headers: HEADERS, body: FORM, signal });
    await expect(sent).rejects.toThrow();
    await expect.poll(() => stripe.links).toHaveLength(mode.endsWith("_after") ? 1 : 0);
  });

  it("are refused when they are not understood", async () => {
    const { stripe, control } = await tenant();
    for (const body of [{}, { mode: "explode" }, { mode: "ok", extra: 1 }, "no json"])
      expect((await control(body)).status).toBe(400);
    expect((await fetch(`${stripe.url}/_control`)).status).toBe(405);
  });
});
