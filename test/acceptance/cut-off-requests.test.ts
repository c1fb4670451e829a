import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { systemClock } from "../../src/core/kernel/calendar.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { PaymentLink } from "../../src/core/payment-links/schema.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { createStripeSimulator, type StripeSimulator } from "../../src/simulators/stripe/index.ts";
import { openBook } from "../support/book.ts";
import { Life } from "../support/collecting-life.ts";
import { testCore } from "../support/core.ts";
import { type HeldProvider, heldProvider } from "../support/held-provider.ts";
import { send } from "../support/rest-app.ts";
import { STORES } from "../support/stores.ts";

const LINKS = 2;
/** The longest that a key is not free after whoever used it was cut off. */
const LONGEST_SECONDS = 10;
const Answer = z.object({ data: z.array(PaymentLink).length(LINKS) });

interface World {
  stripe: StripeSimulator;
  provider: HeldProvider;
  /** A life of the service, on the same store each time. */
  begin(): Promise<{ life: Life; ask(signal?: AbortSignal): ReturnType<typeof send> }>;
}

describe.each(STORES)("a request for payment links that is cut off on $name", ({ name, open }) => {
  const leftover: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of leftover.splice(0).reverse()) await clean();
  });

  async function world(): Promise<World> {
    const stripe = createStripeSimulator({ secretKey: "sk_test_1" });
    leftover.push(() => stripe.close());
    const provider = await heldProvider(await stripe.listen());
    leftover.push(() => provider.close());
    const opened = await open();
    leftover.push(() => opened.remove());
    const plain = testCore(opened.store, systemClock);
    const payments = paymentProviders({ secrets: plain.secrets, clock: systemClock, sandboxAt: null });
    const core = { ...plain, payments };
    const { tenantId, invoice } = await openBook(opened.store);
    await operate(core, tenantId, connectIntegration, {
      provider: "stripe",
      currencies: ["USD"],
      keys: { secretKey: "sk_test_1", webhookSecret: "whsec_test" },
      apiBase: provider.url,
    });
    const { key } = await operate(core, tenantId, createApiKey, { name: "admin", permission: "admin" });
    const { invoice: owing, installments } = await invoice({}, [{}, { sequence_number: 2 }]);
    const { location } = opened;
    await opened.store.close();
    const links = installments.map((part) => ({
      invoice_id: owing.invoice_id,
      installment_id: part.installment_id,
    }));
    const headers = { "Idempotency-Key": randomUUID() };
    return {
      stripe,
      provider,
      async begin() {
        const life = new Life({ location, tenantId, smtpUrl: "smtp://127.0.0.1:9", aheadMs: 0 });
        leftover.push(() => life.kill());
        const { url } = await life.until("listening");
        life.tell("work");
        return {
          life,
          ask: (signal) =>
            send(`${url}/v1/payment-links/batch`, {
              method: "POST",
              key,
              json: { links },
              headers,
              ...(signal === undefined ? {} : { signal }),
            }),
        };
      },
    };
  }

  /** Sends a request again as it is told to, until it is answered; how long it was told to wait, in seconds. */
  async function again(ask: () => ReturnType<typeof send>): Promise<{ body: unknown; waited: number }> {
    for (let waited = 0; ; ) {
      const { status, headers, body } = await ask();
      if (status === 201) return { body, waited };
      expect({ status, body }).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
      const seconds = Number(headers.get("Retry-After"));
      waited += seconds;
      expect(seconds).toBeGreaterThan(0);
      expect(waited).toBeLessThanOrEqual(LONGEST_SECONDS + 1);
      await sleep(seconds * 1_000);
    }
  }

  /** That all links were answered, and the provider has no other. */
  function expectOnce({ stripe }: World, body: unknown): void {
    expect(() => Answer.parse(body)).not.toThrow();
    expect(stripe.links).toHaveLength(LINKS);
  }

  it.each([
    ["none of its links was made", 0],
    ["one of its links was made", 1],
  ])("by a kill when %s goes on in seconds, and nothing is made twice [facts.scale.cut-off]", async (_, made) => {
    const there = await world();
    const first = await there.begin();
    there.provider.hold(made);
    const lost = first.ask().catch(() => null);
    await expect.poll(() => there.provider.waiting).toBe(LINKS - made);
    await first.life.kill();
    expect(await lost).toBeNull();
    there.provider.release();
    const { ask } = await there.begin();
    const { body, waited } = await again(ask);
    // Where one process is all there is, whoever was at work is gone for certain.
    if (name === "the embedded store") expect(waited).toBe(0);
    expectOnce(there, body);
  });

  it("by a kill after it was done is answered at once [facts.scale.cut-off]", async () => {
    const there = await world();
    const first = await there.begin();
    const { body } = await first.ask();
    await first.life.kill();
    const { ask } = await there.begin();
    expect(await again(ask)).toEqual({ body, waited: 0 });
    expectOnce(there, body);
  });

  it("by its caller is finished all the same, and answered when it is [facts.scale.cut-off]", async () => {
    const there = await world();
    const { ask } = await there.begin();
    there.provider.hold(0);
    const gone = new AbortController();
    const lost = ask(gone.signal).catch(() => null);
    await expect.poll(() => there.provider.waiting).toBe(LINKS);
    gone.abort();
    expect(await lost).toBeNull();
    const { status, headers } = await ask();
    expect(status).toBe(409);
    const seconds = Number(headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(LONGEST_SECONDS);
    there.provider.release();
    await expect.poll(async () => (await ask()).status).toBe(201);
    expectOnce(there, (await ask()).body);
  });
});
