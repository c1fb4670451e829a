import { describe, expect, it } from "vitest";
import { reencrypt } from "../../../src/core/accounts/reencrypt.ts";
import { Secrets } from "../../../src/core/kernel/secrets.ts";
import { connectIntegration } from "../../../src/core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { forgetIntegration } from "../../../src/core/payment-integrations/operations/forget-integration.ts";
import { rotateWebhookSecret } from "../../../src/core/payment-integrations/operations/rotate-webhook-secret.ts";
import { listIntegrations } from "../../../src/core/payment-integrations/operator-integration.ts";
import { deactivatePaymentLink } from "../../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { finishLinks } from "../../../src/jobs/work-off.ts";
import { createStripeSimulator } from "../../../src/simulators/stripe/index.ts";
import { sign } from "../../../src/simulators/stripe/webhooks.ts";
import { everythingOf, WEBHOOK_SECRET } from "../../support/collecting.ts";
import { call } from "../../support/lists.ts";
import { rowOf, rowsOf, setRows } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

const HOUR_MS = 3_600_000;

describe.each(storesOf(import.meta.url))("webhook secrets on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "stripe");

  const disconnect = () => act(disconnectIntegration, { provider: "stripe" });
  /** Connects the account, or another, with a webhook secret of its own. */
  const connect = (webhookSecret: string, secretKey = "sk_test_1") =>
    act(connectIntegration, {
      ...{ provider: "stripe", currencies: ["USD"], apiBase: app.stripe.url },
      keys: { secretKey, webhookSecret },
    });
  let events = 0;
  /** Somebody who knows a secret says that a link was paid; answers the status. */
  const tell = async (linkId: string, secret: string, { id = book.tenantId, livemode = false } = {}) => {
    events += 1;
    const object = {
      ...{ id: `pi_${events}`, amount_received: 10_000, currency: "usd" },
      metadata: { receivables_link_id: linkId },
    };
    const created = Math.floor(app.clock.now().getTime() / 1_000);
    const about = { id: `evt_${events}`, object: "event", type: "payment_intent.succeeded", created, livemode };
    const body = JSON.stringify({ ...about, data: { object } });
    const headers = { "Content-Type": "application/json", "Stripe-Signature": sign(body, secret, created) };
    return (await fetch(`${app.url}/webhooks/stripe/${id}`, { method: "POST", headers, body })).status;
  };
  const paid = async () => (await book.payments()).map((payment) => payment.payment_link_id);
  const refusals = () => rowsOf(store, book.tenantId, "audit_entries", { outcome: "refused" });

  it("vouch for no link of another integration, however they came to be known [completions.12.own-links]", async () => {
    await disconnect();
    await connect("whsec_new");
    const { id } = await book.issue();
    const before = await everythingOf(app.core, book.tenantId);
    expect(await tell(id, WEBHOOK_SECRET)).toBe(200);
    expect(await paid()).toEqual([]);
    const { audit_entries: _, ...rows } = await everythingOf(app.core, book.tenantId);
    expect(before).toMatchObject(rows);
    const refused = { actor_kind: "provider", actor_id: book.integrationId, operation: "recordPayment", object_id: id };
    expect(await refusals()).toMatchObject([{ ...refused, request_id: `evt_${events}` }]);
    expect(await tell(id, WEBHOOK_SECRET, { id: book.integrationId })).toBe(200);
    expect(await paid()).toEqual([]);
    expect(await tell(id, "whsec_new", { id: book.integrationId })).toBe(200);
    expect(await paid()).toEqual([id]);
  });

  it("still vouch for their own links after the integration was disconnected [completions.12.own-links]", async () => {
    const { id } = await book.issue();
    await disconnect();
    await connect("whsec_new");
    expect(await tell(id, "whsec_new")).toBe(200);
    expect(await paid()).toEqual([]);
    expect(await tell(id, WEBHOOK_SECRET)).toBe(200);
    expect(await paid()).toEqual([id]);
  });

  it("may be shared by integrations, and vouch for the links of each [completions.12.shared-secret]", async () => {
    const early = await book.issue();
    await disconnect();
    const { id: again } = await connect(WEBHOOK_SECRET);
    const late = await book.issue();
    for (const id of [book.integrationId, again, book.tenantId]) {
      expect(await tell(early.id, WEBHOOK_SECRET, { id })).toBe(200);
      expect(await tell(late.id, WEBHOOK_SECRET, { id })).toBe(200);
    }
    expect(new Set(await paid())).toEqual(new Set([early.id, late.id]));
    expect(await refusals()).toMatchObject([]);
  });

  it("that were rotated stay good for 24 hours, and then are not [completions.12.rotated]", async () => {
    const [one, two, three] = [await book.issue(), await book.issue(), await book.issue()];
    const which = { provider: "stripe" } as const;
    await act(rotateWebhookSecret, { ...which, webhookSecret: "whsec_2" });
    expect(await tell(one.id, "whsec_2")).toBe(200);
    app.clock.advance(23 * HOUR_MS);
    expect(await tell(two.id, WEBHOOK_SECRET)).toBe(200);
    await act(rotateWebhookSecret, { ...which, webhookSecret: "whsec_3" });
    app.clock.advance(2 * HOUR_MS);
    expect(await tell(three.id, WEBHOOK_SECRET)).toBe(400);
    expect(await paid()).toHaveLength(2);
    expect(await tell(three.id, "whsec_2")).toBe(200);
    app.clock.advance(23 * HOUR_MS);
    expect(await tell(three.id, "whsec_2")).toBe(400);
    expect(await paid()).toHaveLength(3);
    expect(await tell(three.id, "whsec_3")).toBe(200);
    expect(await paid()).toHaveLength(4);
  });

  it("are tried of ten integrations at most, the one that is told of and the connected one among them [completions.12.tried]", async () => {
    const [one, two] = [await book.issue(), await book.issue()];
    for (let n = 1; n <= 11; n += 1) {
      app.clock.advance(1_000);
      await disconnect();
      await connect(`whsec_${n}`);
    }
    const { id: last } = await book.issue();
    expect(await tell(one.id, WEBHOOK_SECRET)).toBe(400);
    expect(await tell(one.id, "whsec_1")).toBe(400);
    expect(await tell(one.id, "whsec_2")).toBe(200);
    expect(await paid()).toEqual([]);
    expect(await tell(two.id, WEBHOOK_SECRET, { id: book.integrationId })).toBe(200);
    expect(await tell(last, "whsec_11", { id: book.integrationId })).toBe(200);
    expect(new Set(await paid())).toEqual(new Set([two.id, last]));
  });

  it("that were rotated again and again are tried as far as the three before the last [completions.12.tried]", async () => {
    const { id } = await book.issue();
    for (const secret of ["whsec_2", "whsec_3", "whsec_4", "whsec_5"])
      await act(rotateWebhookSecret, { provider: "stripe", webhookSecret: secret });
    expect(await tell(id, WEBHOOK_SECRET)).toBe(400);
    for (const secret of ["whsec_2", "whsec_4", "whsec_5"]) expect(await tell(id, secret)).toBe(200);
  });

  it("are rotated of a disconnected integration, named where there are several [completions.12.rotated]", async () => {
    const { id } = await book.issue();
    await disconnect();
    await connect("whsec_new");
    const input = { provider: "stripe", webhookSecret: "whsec_2" } as const;
    await expect(act(rotateWebhookSecret, input)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(book.integrationId),
    });
    await act(rotateWebhookSecret, { ...input, integration: book.integrationId });
    app.clock.advance(25 * HOUR_MS);
    expect(await tell(id, WEBHOOK_SECRET)).toBe(400);
    expect(await tell(id, "whsec_2")).toBe(200);
    expect(await paid()).toEqual([id]);
  });

  it("are read under another encryption key, earlier ones too [completions.12.rotated]", async () => {
    const { id } = await book.issue();
    await act(rotateWebhookSecret, { provider: "stripe", webhookSecret: "whsec_2" });
    const other = new Secrets(Buffer.alloc(32, 9), [Buffer.alloc(32, 7)]);
    expect((await reencrypt({ core: { ...app.core, secrets: other } })).unreadable).toBe(0);
    expect(
      (await reencrypt({ core: { ...app.core, secrets: new Secrets(Buffer.alloc(32, 7), [Buffer.alloc(32, 9)]) } }))
        .unreadable,
    ).toBe(0);
    expect(await tell(id, WEBHOOK_SECRET)).toBe(200);
    expect(await paid()).toEqual([id]);
  });

  it.each(["sk_test_2", WEBHOOK_SECRET, "two words", "nonsense", "whsec_"])(
    "cannot be rotated to %s [completions.12.rotated]",
    async (webhookSecret) => {
      const rotating = act(rotateWebhookSecret, { provider: "stripe", webhookSecret });
      const refused = { code: "validation_failed", details: [{ field: "webhookSecret" }] };
      await expect(rotating).rejects.toMatchObject(refused);
    },
  );

  it("are gone with an integration that is forgotten, which says what is lost [completions.12.forgotten]", async () => {
    const { id } = await book.issue();
    const forget = (input = {}) => act(forgetIntegration, { provider: "stripe", ...input });
    const connected = { code: "conflict", message: expect.stringMatching(/is connected.*integration disconnect/) };
    await expect(forget({ integration: book.integrationId })).rejects.toMatchObject(connected);
    await expect(forget()).rejects.toMatchObject(connected);
    await disconnect();
    await expect(forget()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^1 of its payment links can still be paid \(100\.00 USD\)/),
    });
    expect(await forget({ confirmed: true })).toMatchObject({ links_withdrawn: expect.any(Number) });
    const [link] = await book.links();
    expect(link).toMatchObject({ payment_link_id: id, state: "deactivated", withdrawal_due: true });
    await finishLinks(app.core);
    expect((await book.links())[0]).toMatchObject({ withdrawal_due: false });
    expect(await tell(id, WEBHOOK_SECRET)).toBe(400);
    expect(await tell(id, WEBHOOK_SECRET, { id: book.integrationId })).toBe(400);
    await connect(WEBHOOK_SECRET);
    expect(await tell(id, WEBHOOK_SECRET)).toBe(200);
    expect(await paid()).toEqual([]);
    const listed = await act(listIntegrations, {});
    expect(listed.find((one) => one.id === book.integrationId)).toMatchObject({
      status: "disconnected",
      forgotten_at: expect.any(String),
    });
    await expect(forget({ integration: book.integrationId })).rejects.toMatchObject({ code: "not_found" });
    const row = await rowOf(store, book.tenantId, "payment_integrations", {
      payment_integration_id: book.integrationId,
    });
    expect(row).toMatchObject({ secrets: null, next_attempt_at: null });
  });

  it("vouch in their own mode only: no test payment settles a live debt [completions.12.livemode]", async () => {
    const { id } = await book.issue();
    expect(await tell(id, WEBHOOK_SECRET, { livemode: true })).toBe(200);
    expect(await paid()).toEqual([]);
    expect(await refusals()).toMatchObject([{ operation: "recordPayment", object_id: id }]);
    await setLivemode(true);
    expect(await tell(id, WEBHOOK_SECRET, { livemode: false })).toBe(200);
    expect(await paid()).toEqual([]);
    expect(await tell(id, WEBHOOK_SECRET, { livemode: true })).toBe(200);
    expect(await paid()).toEqual([id]);
  });

  it("of test and live never stand for each other: a test link is not withdrawn with a live key [completions.12.same-account]", async () => {
    const { id } = await book.issue();
    await disconnect();
    const live = createStripeSimulator({ secretKey: "sk_live_1" });
    const apiBase = await live.listen();
    try {
      const keys = { secretKey: "sk_live_1", webhookSecret: "whsec_live" };
      const made = await act(connectIntegration, {
        ...{ provider: "stripe", currencies: ["USD"], keys, apiBase },
      });
      expect(made.livemode).toBe(true);
      await call(app.core, deactivatePaymentLink, book.admin, { payment_link_id: id });
      expect(await book.links()).toMatchObject([{ state: "deactivated", withdrawal_due: true }]);
      expect(live.requests.filter(({ path }) => path.startsWith("/v1/payment_links"))).toEqual([]);
    } finally {
      await live.close();
    }
  });

  function setLivemode(livemode: boolean) {
    return setRows(store, book.tenantId, "payment_integrations", { livemode });
  }
});
