import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { stripePayments } from "../../../../src/gateways/payments/stripe/index.ts";
import { served } from "../../../support/served.ts";
import { connect, failure, request, SECRET_KEY, simulator, useStripe, WEBHOOK_SECRET } from "../support.ts";

const { stripe, gateway } = useStripe();

describe("what Stripe does wrong", () => {
  it.each([
    ["401", "authentication_failed", false],
    ["403", "authentication_failed", false],
    ["429", "unreachable", false],
    ["500", "unreachable", true],
    ["503", "unreachable", true],
    ["drop", "unreachable", true],
    ["hang", "unreachable", true],
  ] as const)("%s is %s [facts.stripe.errors]", async (mode, kind, effectUnknown) => {
    stripe.control({ mode });
    const gateway = connect(stripe.url, mode === "hang" ? { timeoutMs: 300 } : {});
    expect(await failure(() => gateway.mintLink(request()))).toMatchObject({ kind, effectUnknown });
    expect(stripe.links).toEqual([]);
  });

  it("that never begins is not waited for, and its connection ends [facts.inputs.bounded]", async () => {
    const closed = Promise.withResolvers<void>();
    const url = await served((_request, response) => {
      const hints = setInterval(() => response.writeProcessing(), 5);
      response.socket?.once("close", () => {
        clearInterval(hints);
        closed.resolve();
      });
    });
    const asked = () => connect(url, { timeoutMs: 300 }).checkAccount();
    expect((await failure(asked)).kind).toBe("unreachable");
    await closed.promise;
  });

  it("and nobody listening is unreachable", async () => {
    await stripe.close();
    expect((await failure(() => gateway.checkAccount())).kind).toBe("unreachable");
  });

  it.each([
    [{ currency: "VND" }, "currency_not_supported"],
    [{ amountMinor: 49n }, "amount_too_small"],
    [{ amountMinor: 100_000_000n }, "amount_too_large"],
    [{ description: "" }, "rejected"],
  ])("a link of %o is %s", async (over, kind) => {
    const error = await failure(() => gateway.mintLink(request(over)));
    expect(error).toMatchObject({ kind, effectUnknown: false });
  });

  it.each([
    ["a page", 200, "<html>proxy</html>", "unreachable"],
    ["a page of an error", 502, "<html>bad gateway</html>", "unreachable"],
    ["half of an answer", 200, '{"id":', "unreachable"],
    ["a card error", 402, '{"error":{"type":"card_error","message":"no"}}', "rejected"],
    ["a redirect", 302, '{"error":{"type":"x","message":"moved"}}', "unreachable"],
  ])("%s is not an answer", async (_, status, body, kind) => {
    const url = await served((_request, response) => response.writeHead(status).end(body));
    expect((await failure(() => connect(url).checkAccount())).kind).toBe(kind);
  });

  it("is quoted for the log alone, on one line, without secrets [facts.stripe.errors]", async () => {
    const message = `no key ${SECRET_KEY}, rk_live_other42, ${WEBHOOK_SECRET}\n\u202egnp.exe ${"x".repeat(400)}`;
    const url = await served((_request, response) =>
      response.writeHead(400).end(JSON.stringify({ error: { type: "invalid_request_error", message } })),
    );
    const error = await failure(() => connect(url).checkAccount());
    expect(error.publicMessage).toBe("Stripe refused the request.");
    expect(error.message).toContain("no key …, rk_…, … gnp.exe xxx");
    expect(error.message).not.toMatch(/simulator|other42|\n|\u202e/);
    expect(error.message.length).toBeLessThan(400);
  });

  it("cannot make the library speak [facts.stripe.quiet]", async () => {
    const module = join(import.meta.dirname, "../../../../src/gateways/payments/stripe/index.ts");
    const script = `
      const { stripePayments } = await import(${JSON.stringify(module)});
      const gateway = stripePayments({ secretKey: "${SECRET_KEY}", webhookSecret: "whsec_1", apiBase: "${stripe.url}" });
      await gateway.checkAccount();
      await gateway.checkAccount();`;
    const run = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env: {} });
    expect(run).toEqual({ stdout: "", stderr: "" });
    expect(stripe.requests).toHaveLength(4);
    expect(stripe.requests.filter(({ headers }) => headers["x-stripe-client-telemetry"] !== undefined)).toEqual([]);
  });
});

describe("settings that cannot be used", () => {
  const settings = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET };

  it.each([
    [{ secretKey: "" }, "authentication_failed"],
    [{ secretKey: "pk_test_1" }, "authentication_failed"],
    [{ secretKey: "whsec_1" }, "authentication_failed"],
    [{ secretKey: "sk_test_1\r\nX: y" }, "authentication_failed"],
    [{ webhookSecret: " " }, "authentication_failed"],
    [{ webhookSecret: "sk_test_1" }, "authentication_failed"],
    [{ apiBase: "stripe.example" }, "rejected"],
    [{ apiBase: "ftp://stripe.example" }, "rejected"],
    [{ apiBase: "https://user:pw@stripe.example" }, "rejected"],
    [{ apiBase: "https://stripe.example/v2" }, "rejected"],
    [{ apiBase: "http://stripe.example" }, "rejected"],
  ])("%o", async (over, kind) => {
    const error = await failure(() => stripePayments({ ...settings, ...over }));
    expect(error.kind).toBe(kind);
    expect(error.message).not.toMatch(/sk_test_1|whsec_1|pw/);
  });

  it.each([
    undefined,
    "https://stripe.example:8443",
    "https://stripe.example/",
    "http://localhost:1",
    "http://[::1]:1",
  ])("%s is an address", (apiBase) => {
    expect(stripePayments({ ...settings, apiBase }).chargeStep("USD")).toBe(1n);
  });
});

describe("the account", () => {
  it("and the currencies its country charges", async () => {
    const stripe = await simulator({
      country: "IS",
      currencies: new Set(["isk", "usd", "zzz", "eur"]),
      chargesEnabled: false,
    });
    expect(await connect(stripe.url).checkAccount()).toEqual({
      accountId: "acct_simulator",
      livemode: false,
      chargesEnabled: false,
      currencies: ["EUR", "ISK", "USD"],
    });
    expect(stripe.requests.map(({ path }) => path)).toEqual(["/v1/account", "/v1/country_specs/IS"]);
  });

  it("of a live key moves real money", async () => {
    const secretKey = "rk_live_1";
    const stripe = await simulator({ secretKey });
    expect((await connect(stripe.url, { secretKey }).checkAccount()).livemode).toBe(true);
  });

  it("without a country is not ready", async () => {
    const url = await served((_request, response) => response.end('{"id":"acct_1","object":"account"}'));
    expect((await failure(() => connect(url).checkAccount())).kind).toBe("rejected");
  });
});
