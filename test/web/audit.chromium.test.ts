import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import type { Actor, OperatorActor } from "../../src/core/gate/actor.ts";
import { recordAudit } from "../../src/core/gate/audit.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { createStripeSimulator, type StripeSimulator } from "../../src/simulators/stripe/index.ts";
import { type AuthApp, PASSWORD, startAuthApp } from "../support/auth-app.ts";
import { HAS_CHROMIUM, launchChromium } from "../support/chromium.ts";
import { testCore } from "../support/core.ts";
import { picture } from "../support/looks.ts";
import { register, signInAndApprove } from "../support/oauth-client.ts";
import type { TestStore } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";

const [STORE] = A_STORE;

/** In real Chromium without JavaScript: what only a browser enforces, and, the long way, pictures to look at. */
describe.skipIf(!HAS_CHROMIUM || STORE === undefined)("an admin with a real browser", () => {
  let opened: TestStore;
  let app: AuthApp;
  let stripe: StripeSimulator;
  let browser: Browser;

  beforeAll(async () => {
    if (STORE === undefined) throw new Error("no store");
    opened = await STORE.open();
    stripe = createStripeSimulator();
    const apiBase = await stripe.listen();
    const clock = { now: () => new Date() };
    const core = testCore(opened.store, clock);
    const providers = paymentProviders({ secrets: core.secrets, clock, sandboxAt: "http://127.0.0.1:1" });
    app = await startAuthApp({
      ...core,
      payments: (access) => providers(access.provider === "stripe" ? { ...access, apiBase } : access),
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stripe?.close();
    await opened?.remove();
  });

  /** A workspace whose trail has every kind of author in it, over more than a page. */
  async function workspaceWithTrail(look: string): Promise<{ email: string }> {
    const { id: tenantId } = await app.addWorkspace({ name: `Contoso ${look}` });
    const { email } = await app.addPerson(tenantId, { email: `grace@${look}.example.com` });
    const second = await app.addWorkspace({ name: `Fabrikam ${look}` });
    await app.addPerson(second.id, { email });
    const client = await register(app.origin, { client_name: "Claude" });
    await signInAndApprove(app.origin, { email, password: PASSWORD, client, workspace: tenantId });
    const { id: keyId } = await operate(app.core, tenantId, createApiKey, {
      name: "Nightly dunning job",
      permission: "admin",
    });
    const connection = await app.core.store.read(tenantId, (tx) =>
      tx.selectFrom("assistant_connections").selectAll().where("tenant_id", "=", tenantId).executeTakeFirstOrThrow(),
    );
    const { connection_id: connectionId, member_id: memberId } = connection;
    const scopes = ["payment_links:write"] as const;
    const actors: (Actor | OperatorActor)[] = [
      { kind: "api_key", tenantId, keyId, permission: "admin" },
      { kind: "assistant", readsOnly: false, tenantId, memberId, connectionId, role: "admin", scopes },
      { kind: "operator", tenantId },
    ];
    const acts = ["createPaymentLinks", "deactivatePaymentLink", "reschedulePaymentLinkEmail"];
    await app.core.store.write(tenantId, async (tx) => {
      for (let count = 0; count < 60; count += 1) {
        const [actor, operation] = [actors[count % 3], acts[count % 3]];
        if (actor === undefined || operation === undefined) continue;
        const outcome = count % 7 === 0 ? "failed" : "succeeded";
        const object = { objectType: "payment_link", objectId: randomUUID() };
        await recordAudit(tx, app.core, { actor, operation, ...object, requestId: randomUUID(), outcome });
      }
    });
    return { email };
  }

  it("reads the trail and connects a provider, on a narrow screen", async () => {
    const [name, width] = ["narrow", 380];
    const { email } = await workspaceWithTrail(name);
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width, height: 800 },
    });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
    const fits = async (of: string): Promise<void> => {
      await picture(page, `${of}-${name}`);
      const { width: widest } = (await page.locator("html").boundingBox()) ?? { width: 0 };
      expect(widest, of).toBeLessThanOrEqual(width);
    };

    await page.goto(`${app.origin}/audit`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Audit trail" }).waitFor();
    await fits("audit");
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByRole("link", { name: "Newest" }).click();
    await page.getByLabel("Operation").selectOption({ label: "Create several payment links" });
    await page.getByLabel("Person").selectOption({ label: email });
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("No entry matches these filters.").waitFor();
    await fits("audit-nothing");
    await page.getByRole("link", { name: "Clear all" }).click();
    await page.getByLabel("Connection").selectOption({ index: 1 });
    await page.getByRole("button", { name: "Apply" }).click();
    expect(await page.getByRole("row", { name: /Withdraw payment link/ }).count()).toBe(20);
    expect(await page.getByRole("row", { name: /Nightly/ }).count()).toBe(0);
    await fits("audit-filtered");

    await page.getByRole("link", { name: "All settings" }).click();
    await fits("settings");
    await page.getByRole("link", { name: "Integrations", exact: true }).click();
    const form = page.getByRole("form", { name: "Connect Stripe" }).first();
    await form.getByLabel("Secret key").fill("sk_test_nobody");
    await form.getByLabel("Webhook secret").fill("whsec_simulator");
    await form.getByLabel("Currencies").fill("EUR, DOLLARS");
    await form.getByRole("button", { name: "Connect Stripe" }).click();
    await page.getByRole("alert").waitFor();
    await fits("integrations-refused");
    await form.getByLabel("Secret key").fill("sk_test_simulator");
    await form.getByLabel("Webhook secret").fill("whsec_simulator");
    await form.getByLabel("Currencies").fill("EUR, USD, GBP");
    await form.getByRole("button", { name: "Connect Stripe" }).click();
    await page.getByRole("status").waitFor();
    await fits("integrations");
    await page.getByRole("link", { name: "Disconnect" }).first().click();
    await fits("integrations-disconnect");
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("The provider was disconnected.").waitFor();
    await fits("integrations-disconnected");
    expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
    await context.close();
  });
});
