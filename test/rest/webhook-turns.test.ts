import { randomUUID } from "node:crypto";
import { type ClientRequest, request } from "node:http";
import express, { type Request, type RequestHandler } from "express";
import { beforeEach, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { PaymentProviderError } from "../../src/gateways/payments/gateway.ts";
import { webhooks } from "../../src/rest/webhooks.ts";
import type { StripeEvent } from "../../src/simulators/stripe/index.ts";
import { sign } from "../../src/simulators/stripe/webhooks.ts";
import { openCollectingBook, WEBHOOK_SECRET } from "../support/collecting.ts";
import { heldPayment } from "../support/held-payment.ts";
import { listen } from "../support/http.ts";
import { send } from "../support/rest-app.ts";
import { A_STORE } from "../support/thorough.ts";
import { useCollecting } from "../support/use-collecting.ts";

describe.each(A_STORE)("turns of Stripe's notifications on $name", ({ open }) => {
  const { app, book } = useCollecting(open, "stripe");
  let event: StripeEvent;

  beforeEach(async () => {
    event = await heldPayment(app, book);
  });

  const signed = (payload: string) => ({
    "Stripe-Signature": sign(payload, WEBHOOK_SECRET, Math.floor(Date.now() / 1000)),
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
    const url = `${app.url}/webhooks/stripe/${book.integrationId}`;
    begin(randomUUID());
    await expect.poll(() => answers).toEqual([404]);
    for (let n = 0; n < 22; n += 1) begin(book.integrationId);
    await expect.poll(() => answers).toEqual([404, 429, 429]);
    await expect.poll(() => cut, { timeout: 20_000 }).toEqual(Array(20).fill(book.integrationId));
    expect(answers).toHaveLength(3);
    expect((await send(url, { method: "POST", headers: signed(event.payload), body: event.payload })).status).toBe(200);
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
  async function slowToProve(slow: "each" | "forged" = "forged", ms = FORGED.ms) {
    const payments: Core["payments"] = (access) => {
      const gateway = app.core.payments?.(access) ?? null;
      if (gateway === null) return null;
      const verifyEvents: typeof gateway.verifyEvents = (body, signature) => {
        const end = performance.now() + (signature === undefined || slow === "each" ? ms : 0);
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
      expect(performance.now() - began).toBeGreaterThan((FORGED.count - 1) * FORGED.ms * 4.5);
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

  it("[contract.edges.webhooks.forged] of an id wait for none that come from their address for others, forged or not", async () => {
    const [own, other] = [await slowToProve("forged", 20), await openCollectingBook(app, "stripe")];
    const url = `${own.url}/webhooks/stripe`;
    const genuine = () =>
      send(`${url}/${book.integrationId}`, { method: "POST", headers: signed(event.payload), body: event.payload });
    const forge = (id: string) => send(`${url}/${id}`, { method: "POST", body: "{}" });
    for (const before of [() => forge(book.integrationId), genuine]) {
      let answered = 0;
      const flood = Array.from({ length: 20 }, async () => {
        await forge(other.integrationId);
        answered += 1;
      });
      await before();
      for (let n = 0; n < 2; n += 1) expect((await genuine()).status).toBe(200);
      expect(answered).toBeLessThan(12);
      await Promise.all(flood);
    }
    await own.close();
  });
});
