import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { operate } from "../../../src/core/gate/operator.ts";
import { connectIntegration } from "../../../src/core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { listPaymentIntegrations } from "../../../src/core/payment-integrations/operations/list-payment-integrations.ts";
import { createStripeSimulator, type StripeSimulator } from "../../../src/simulators/stripe/index.ts";
import { call } from "../../support/lists.ts";
import { rowsOf } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(storesOf(import.meta.url))("payment integrations on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "sandbox", ["EUR"]);
  let idle: StripeSimulator;

  beforeAll(async () => {
    idle = createStripeSimulator({ chargesEnabled: false, secretKey: "sk_test_1" });
    await idle.listen();
  });
  afterAll(async () => {
    await idle.close();
  });

  const keys = { secretKey: "sk_test_1", webhookSecret: "whsec_1" };
  const connect = (input: Partial<z.input<typeof connectIntegration.input>> = {}) =>
    act(connectIntegration, {
      provider: "stripe",
      currencies: ["USD", "EUR"],
      keys,
      apiBase: app.stripe.url,
      ...input,
    });
  const rows = () => rowsOf(store, book.tenantId, "payment_integrations", {}, "created_at");

  it("are listed without keys, accounts and addresses [completions.4.integration]", async () => {
    app.clock.advance(1_000);
    const made = await connect();
    const { data, pagination } = await call(app.core, listPaymentIntegrations, book.reader, { include_total: true });
    expect(data).toEqual([
      {
        id: made.id,
        provider: "stripe",
        status: "connected",
        currencies: ["EUR", "USD"],
        created_at: app.clock.now().toISOString(),
        livemode: false,
      },
      {
        id: book.integrationId,
        provider: "sandbox",
        status: "connected",
        currencies: ["EUR"],
        created_at: expect.any(String),
        livemode: false,
      },
    ]);
    expect(pagination.total_count).toBe(2);
  });

  it("keep their keys encrypted, and of a disconnected one only what proves notifications [contract.stripe.keys]", async () => {
    await connect();
    const stored = JSON.stringify(await rows());
    expect(stored).not.toMatch(/sk_test|whsec/);
    const before = (await rows()).find((row) => row.provider === "stripe");
    await act(disconnectIntegration, { provider: "stripe" });
    const after = (await rows()).find((row) => row.provider === "stripe");
    if (after?.secrets == null || before?.secrets == null) throw new Error("keys are kept");
    const place = `payment_integrations/${after.payment_integration_id}`;
    expect(JSON.parse(app.core.secrets.decrypt(before.secrets, place))).toEqual(keys);
    expect(JSON.parse(app.core.secrets.decrypt(after.secrets, place))).toEqual({ ...keys, secretKey: null });
    expect(after).toMatchObject({ status: "disconnected", account: "acct_simulator" });
  });

  it("are connected only for an account that may charge what is said [contract.stripe.account]", async () => {
    const refused = async (input: Parameters<typeof connect>[0], code: string, field?: string) => {
      await expect(connect(input)).rejects.toMatchObject({
        code,
        ...(field === undefined ? {} : { details: [{ field }] }),
      });
      expect(await rows()).toHaveLength(1);
    };
    await refused({ keys: { ...keys, secretKey: "sk_test_other" } }, "validation_failed", "secretKey");
    await refused({ keys: { ...keys, secretKey: "pk_test_1" } }, "validation_failed", "secretKey");
    await refused({ currencies: ["USD", "XAF"] }, "currency_not_supported", "currencies");
    await refused({ currencies: ["ZZZ"] }, "validation_failed");
    await refused({ apiBase: idle.url }, "integration_unavailable");
    await refused({ apiBase: "http://127.0.0.1:1" }, "integration_unavailable");
    await refused({ apiBase: "http://stripe.example.com" }, "integration_unavailable");
    await expect(act(connectIntegration, { provider: "stripe", currencies: ["USD"] })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ field: "secretKey" }],
    });
    await expect(act(connectIntegration, { provider: "sandbox", currencies: ["USD"], keys })).rejects.toMatchObject({
      code: "validation_failed",
    });
    app.stripe.control({ mode: "503" });
    await refused({}, "integration_unavailable");
  });

  it("of a provider are one at a time [contract.stripe.account]", async () => {
    await connect();
    await expect(connect()).rejects.toMatchObject({ code: "conflict" });
  });

  it("charge links by the oldest one that charges the currency [completions.5.integration]", async () => {
    app.clock.advance(1_000);
    const { id: stripeId } = await connect();
    const issue = async (currency: string) =>
      book.issue(await book.owingIn({ currency }, { original_amount: "100.00" }));
    expect(await issue("EUR")).toMatchObject({ payment_integration_id: book.integrationId });
    expect(await issue("USD")).toMatchObject({ payment_integration_id: stripeId });
    await act(disconnectIntegration, { provider: "sandbox" });
    expect(await issue("EUR")).toMatchObject({ payment_integration_id: stripeId });
  });

  it("have no sandbox where the service has none [completions.7.sandbox-off]", async () => {
    await act(disconnectIntegration, { provider: "sandbox" });
    const core = { ...app.core, payments: () => null };
    await expect(
      operate(core, book.tenantId, connectIntegration, { provider: "sandbox", currencies: ["USD"] }),
    ).rejects.toMatchObject({ code: "integration_unavailable" });
  });
});
