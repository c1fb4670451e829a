import { randomUUID } from "node:crypto";
import { type ClientRequest, request } from "node:http";
import express, { type Request, type RequestHandler } from "express";
import { beforeEach, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { createPaymentLink } from "../../src/core/payment-links/operations/create-links.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { PaymentProviderError } from "../../src/gateways/payments/gateway.ts";
import { webhooks } from "../../src/rest/webhooks.ts";
import type { StripeEvent } from "../../src/simulators/stripe/index.ts";
import { sign } from "../../src/simulators/stripe/webhooks.ts";
import { setAttempts } from "../support/attempts.ts";
import { callOnce, connectProvider, everythingOf, openCollectingBook, WEBHOOK_SECRET } from "../support/collecting.ts";
import { listen } from "../support/http.ts";
import { call } from "../support/lists.ts";
import { errorOf, send } from "../support/rest-app.ts";
import { A_STORE } from "../support/thorough.ts";
import { useCollecting } from "../support/use-collecting.ts";

describe.each(A_STORE)("Stripe's notifications on $name", ({ open }) => {
  const { app, book } = useCollecting(open, "stripe");
  let event: StripeEvent;

  beforeEach(async () => {
    const { invoice, installments } = await book.owing("100.00");
    const asked = { invoice_id: invoice.invoice_id, installment_id: installments[0]?.installment_id };
    const link = await callOnce(app.core, createPaymentLink, book.admin, asked);
    const { events } = await app.stripe.pay(link.id, { hold: true });
    const last = events.at(-1);
    if (last === undefined) throw new Error("a payment makes events");
    event = last;
  });

  const paid = async () => (await call(app.core, listPayments, book.reader, {})).data.length;
  const post = (id: string, body: string, headers: Record<string, string> = {}, method = "POST") =>
    send(`${app.url}/webhooks/stripe/${id}`, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(method === "POST" ? { body } : {}),
    });
  const signed = (payload: string, secret = WEBHOOK_SECRET, ageSeconds = 0) => ({
    "Stripe-Signature": sign(payload, secret, Math.floor(Date.now() / 1000) - ageSeconds),
  });

  it("are taken by the integration's id or its workspace's, once [contract.stripe.webhook]", async () => {
    expect(await post(book.integrationId, event.payload, signed(event.payload))).toMatchObject({
      status: 200,
      body: { received: true },
    });
    expect(await post(book.tenantId, event.payload, signed(event.payload))).toMatchObject({ status: 200 });
    expect(await paid()).toBe(1);
  });

  it("are refused unless Stripe signed them just now, byte for byte [contract.stripe.signature]", async () => {
    const before = await everythingOf(app.core, book.tenantId);
    const { payload } = event;
    const altered = payload.replace("10000", "10001");
    expect(altered).not.toBe(payload);
    const attempts: [string, Record<string, string>][] = [
      [payload, {}],
      [payload, { "Stripe-Signature": "" }],
      [payload, { "Stripe-Signature": "t=1,v1=00" }],
      [payload, signed(payload, "whsec_other")],
      [payload, signed(payload, WEBHOOK_SECRET, 400)],
      [altered, signed(payload)],
      [`${payload} `, signed(payload)],
      ["", signed("")],
    ];
    for (const [body, headers] of attempts) {
      const { status, body: answer } = await post(book.integrationId, body, headers);
      expect({ status, code: errorOf(answer).code }, body.slice(0, 40)).toEqual({
        status: 400,
        code: "validation_failed",
      });
    }
    expect(await everythingOf(app.core, book.tenantId)).toEqual(before);
    expect(await paid()).toBe(0);
  });

  it("[contract.edges.webhooks.limit] refused ones of an address are limited, and signed ones are taken all the same", async () => {
    await setAttempts(app.core, "webhook-refusals:address:127.0.0.1", 300, 300);
    for (const [id, headers] of [
      [book.integrationId, signed(event.payload, "whsec_other")],
      [randomUUID(), {}],
    ] as const) {
      const refused = await post(id, event.payload, headers);
      expect([refused.status, errorOf(refused.body).code]).toEqual([429, "rate_limit_exceeded"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await post(book.integrationId, event.payload, signed(event.payload))).status).toBe(200);
    expect(await paid()).toBe(1);
    await setAttempts(app.core, "webhook-refusals:address:127.0.0.1", 300, 0);
  });

  it("[contract.edges.webhooks.unread] are not read for an unknown id, and twenty of an address at once for a known one", async () => {
    const begin = (id: string) => {
      const headers = { "content-type": "application/json", "content-length": 1_000 };
      const sent = request(`${app.url}/webhooks/stripe/${id}`, { method: "POST", headers, agent: false });
      sent.on("response", (response) => answers.push(response.resume().statusCode ?? 0));
      sent.on("error", () => cut.push(id)).write("{");
    };
    const answers: number[] = [];
    const cut: string[] = [];
    begin(randomUUID());
    await expect.poll(() => answers).toEqual([404]);
    for (let n = 0; n < 22; n += 1) begin(book.integrationId);
    await expect.poll(() => answers).toEqual([404, 429, 429]);
    await expect.poll(() => cut, { timeout: 20_000 }).toEqual(Array(20).fill(book.integrationId));
    expect(answers).toHaveLength(3);
    expect((await post(book.integrationId, event.payload, signed(event.payload))).status).toBe(200);
  });

  it("[contract.edges.webhooks.unread] keep no place of an address whose clients left before they were read", async () => {
    let refused = 0;
    const onRefused = async (error: unknown) => {
      refused += 1;
      return error;
    };
    const arrived: (() => void)[] = [];
    const waits: RequestHandler = (late, _response, next) => {
      late.once("close", next);
      arrived.shift()?.();
    };
    const taken = webhooks({ core: app.core, onRefused });
    const own = await listen(express().use("/late", waits, taken).use(taken));
    for (let n = 0; n < 20; n += 1) {
      const headers = { "content-length": 1_000 };
      const sent = request(`${own.url}/late/webhooks/stripe/${book.integrationId}`, { method: "POST", headers });
      sent.on("error", () => undefined).flushHeaders();
      await new Promise<void>((resolve) => arrived.push(resolve));
      sent.destroy();
    }
    await expect.poll(() => refused, { timeout: 5_000 }).toBe(20);
    const headers = signed(event.payload);
    const url = `${own.url}/webhooks/stripe/${book.integrationId}`;
    expect(await send(url, { method: "POST", headers, body: event.payload })).toMatchObject({ status: 200 });
    await own.close();
  });

  const FORGED = { count: 6, ms: 100 };
  /** Where a forged one, or each, takes long to prove; it believes what address it is told. */
  async function slowToProve(slow: "each" | "forged" = "forged") {
    const payments: Core["payments"] = (access) => {
      const gateway = app.core.payments?.(access) ?? null;
      if (gateway === null) return null;
      const verifyEvents: typeof gateway.verifyEvents = (body, signature) => {
        const end = performance.now() + (signature === undefined || slow === "each" ? FORGED.ms : 0);
        while (performance.now() < end);
        if (signature !== undefined) return gateway.verifyEvents(body, signature);
        throw new PaymentProviderError("signature_invalid", "It is not signed.");
      };
      return { ...gateway, verifyEvents };
    };
    const arrived: Request[] = [];
    const seen: RequestHandler = (one, _response, next) => {
      arrived.push(one);
      next();
    };
    const taken = webhooks({ core: { ...app.core, payments } });
    return { arrived, ...(await listen(express().set("trust proxy", true).use(seen, taken))) };
  }

  it("[contract.edges.webhooks.forged] cost a fifth of a processor at most, of however many addresses, signed or not", async () => {
    const own = await slowToProve("each");
    const post = (signature: Record<string, string>, body: string) =>
      send(`${own.url}/webhooks/stripe/${book.integrationId}`, { method: "POST", headers: signature, body });
    for (const [one, isTaken] of [
      [() => post({}, "{}"), false],
      [() => post(signed(event.payload), event.payload), true],
    ] as const) {
      const began = performance.now();
      const answers = await Promise.all(Array.from({ length: FORGED.count }, one));
      expect(answers.map(({ status }) => status === 200)).toEqual(Array(FORGED.count).fill(isTaken));
      expect(performance.now() - began).toBeGreaterThan(FORGED.count * FORGED.ms * 4.5);
    }
    await own.close();
  });

  it("[contract.edges.webhooks.forged] keep nobody waiting who proved one lately, of however many addresses they are forged", async () => {
    const own = await slowToProve();
    const url = `${own.url}/webhooks/stripe/${book.integrationId}`;
    const genuine = () => send(url, { method: "POST", headers: signed(event.payload), body: event.payload });
    expect((await genuine()).status).toBe(200);
    let answered = 0;
    const forged = Array.from({ length: 12 }, async (_, n) => {
      await send(url, { method: "POST", headers: { "X-Forwarded-For": `203.0.113.${n}` }, body: "{}" });
      answered += 1;
    });
    await expect.poll(() => answered).toBeGreaterThan(0);
    for (let n = 0; n < 3; n += 1) expect((await genuine()).status).toBe(200);
    expect(answered).toBeLessThan(4);
    await Promise.all(forged);
    await own.close();
  });

  it("[contract.edges.webhooks.unread] are read thirty-two at once, of however many addresses, eight of one", async () => {
    const own = await slowToProve();
    const sent: ClientRequest[] = [];
    const begin = (address: string) => {
      const headers = { "content-length": 1_000, "X-Forwarded-For": address };
      const one = request(`${own.url}/webhooks/stripe/${book.integrationId}`, {
        method: "POST",
        headers,
        agent: false,
      });
      sent.push(one.on("error", () => undefined));
      one.write("{");
    };
    const reading = () => own.arrived.filter((one) => one.listenerCount("data") > 0).length;
    for (let n = 0; n < 10; n += 1) begin("2001:db8::1");
    await expect.poll(reading).toBe(8);
    for (let n = 0; n < 40; n += 1) begin(`203.0.113.${n}`);
    await expect.poll(() => own.arrived.length).toBe(50);
    await expect.poll(reading).toBe(32);
    for (const one of sent) one.destroy();
    await expect.poll(() => own.arrived.filter((one) => !one.destroyed)).toEqual([]);
    await own.close();
  });

  it("go to no other workspace, provider or path [contract.stripe.webhook]", async () => {
    const sandbox = await openCollectingBook(app, "sandbox");
    for (const id of [randomUUID(), sandbox.integrationId, sandbox.tenantId, "not-an-id"]) {
      const { status, body } = await post(id, event.payload, signed(event.payload));
      expect({ status, code: errorOf(body).code }, id).toEqual({ status: 404, code: "not_found" });
    }
    expect((await post(book.integrationId, "", {}, "GET")).status).toBe(404);
    expect(await paid()).toBe(0);
  });

  it("are still taken of an integration that was disconnected or connected anew [completions.7.late]", async () => {
    await operate(app.core, book.tenantId, disconnectIntegration, { provider: "stripe" });
    await connectProvider(app, book.tenantId, "stripe");
    expect((await post(book.tenantId, event.payload, signed(event.payload))).status).toBe(200);
    expect((await post(book.integrationId, event.payload, signed(event.payload))).status).toBe(200);
    expect(await paid()).toBe(1);
  });

  it("that cannot be understood are sent again, and those of no interest are not [contract.stripe.webhook]", async () => {
    const of = (type: string) =>
      JSON.stringify({ id: "evt_1", object: "event", type, created: 1, livemode: false, data: { object: {} } });
    const [broken, other] = [of("checkout.session.completed"), of("customer.created")];
    expect((await post(book.integrationId, broken, signed(broken))).status).toBe(400);
    expect((await post(book.integrationId, other, signed(other))).status).toBe(200);
    const large = " ".repeat(513 * 1024);
    expect((await post(book.integrationId, large, signed(large))).status).toBe(413);
    expect(await paid()).toBe(0);
  });
});
