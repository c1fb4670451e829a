import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import type { StripeEvent } from "../../src/simulators/stripe/index.ts";
import { sign } from "../../src/simulators/stripe/webhooks.ts";
import { setAttempts } from "../support/attempts.ts";
import { connectProvider, everythingOf, openCollectingBook, WEBHOOK_SECRET } from "../support/collecting.ts";
import { heldPayment } from "../support/held-payment.ts";
import { call } from "../support/lists.ts";
import { errorOf, send } from "../support/rest-app.ts";
import { A_STORE } from "../support/thorough.ts";
import { useCollecting } from "../support/use-collecting.ts";

describe.each(A_STORE)("Stripe's notifications on $name", ({ open }) => {
  const { app, book } = useCollecting(open, "stripe");
  let event: StripeEvent;

  beforeEach(async () => {
    event = await heldPayment(app, book);
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
    // A window of its own: who is over stays so until it ends.
    app.clock.advance(300_000);
    const signedThen = (secret?: string) => signed(event.payload, secret, -300);
    await setAttempts(app.core, "webhook-refusals:address:127.0.0.1", 300, 300);
    for (const [id, headers] of [
      [book.integrationId, signedThen("whsec_other")],
      [randomUUID(), {}],
    ] as const) {
      const refused = await post(id, event.payload, headers);
      expect([refused.status, errorOf(refused.body).code]).toEqual([429, "rate_limit_exceeded"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await post(book.integrationId, event.payload, signedThen())).status).toBe(200);
    expect(await paid()).toBe(1);
    await setAttempts(app.core, "webhook-refusals:address:127.0.0.1", 300, 0);
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
