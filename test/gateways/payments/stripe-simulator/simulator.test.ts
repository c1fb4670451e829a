import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SECRET_KEY, simulator } from "../support.ts";

const FORM =
  "line_items[0][quantity]=1&line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=500" +
  "&line_items[0][price_data][product_data][name]=Invoice&metadata[ours]=link-1" +
  "&restrictions[completed_sessions][limit]=1";
const HEADERS = {
  Authorization: `Bearer ${SECRET_KEY}`,
  "Stripe-Version": "2026-10-28.endive",
  "Content-Type": "application/x-www-form-urlencoded",
};

const Refused = z.object({ error: z.looseObject({ type: z.string(), code: z.string().optional() }) });

async function refused(body: string, headers: Record<string, string> = {}) {
  const stripe = await simulator();
  const init = { method: "POST", headers: { ...HEADERS, ...headers }, body };
  const response = await fetch(`${stripe.url}/v1/payment_links`, init);
  expect(stripe.links).toEqual([]);
  return { status: response.status, ...Refused.parse(await response.json()) };
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
    expect((await refused(FORM, headers)).status).toBe(status);
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
    const { status, error } = await refused(form);
    expect(status).toBe(400);
    expect(error).toMatchObject({ type: "invalid_request_error", param, message: expect.any(String) });
    expect(error.code).toBe(code);
  });
});
