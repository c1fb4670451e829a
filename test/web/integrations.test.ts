import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { listIntegrations } from "../../src/core/payment-integrations/operator-integration.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { createStripeSimulator, type StripeSimulator } from "../../src/simulators/stripe/index.ts";
import { actAs } from "../support/acting.ts";
import { type AuthApp, startAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { Browser } from "../support/browser.ts";
import { TestClock, testCore } from "../support/core.ts";
import { multiply } from "../support/multiply.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const KEYS = { secret_key: "sk_test_simulator", webhook_secret: "whsec_of_the_page" };
const STRIPE = { ...KEYS, currencies: "usd, EUR" };

describe.each(A_STORE)("the page of integrations on $name", ({ open }) => {
  const opened = useStore(open);
  let app: AuthApp;
  /** The same service without a demo. */
  let plain: AuthApp;
  let stripe: StripeSimulator;

  beforeAll(async () => {
    stripe = createStripeSimulator();
    const apiBase = await stripe.listen();
    const clock = new TestClock(new Date().toISOString());
    const core = testCore(opened.store, clock);
    const withPayments = (sandboxAt: string | null): Core => {
      const patience = { timeoutMs: 20_000, maxNetworkRetries: 0 };
      const providers = paymentProviders({ secrets: core.secrets, clock, sandboxAt, patience });
      return {
        ...core,
        payments: (access) => providers(access.provider === "stripe" ? { ...access, apiBase } : access),
      };
    };
    app = await startAuthApp(withPayments("http://127.0.0.1:1"));
    plain = await startAuthApp(withPayments(null));
  });
  afterAll(async () => {
    await plain?.close();
    await app?.close();
    await stripe?.close();
  });

  const integrations = (tenantId: string) => operate(app.core, tenantId, listIntegrations, {});
  const acts = async (tenantId: string) =>
    (await app.trail(tenantId)).filter((entry) => entry.object_type === "payment_integration");

  it("connects Stripe and forgets the keys on every page [completions.7.integrations.page] [completions.12.test-key]", async () => {
    const { tenantId, memberId, browser } = await app.newcomer();
    const page = await browser.open("/integrations");
    expect(page.heading).toBe("Integrations");
    expect(page.text).toContain("No payment provider is connected yet");
    expect(page.html.match(/type="password"/g)).toHaveLength(2);
    const after = await browser.submit(page, "Connect Stripe", STRIPE);
    expect([after.status, after.url.pathname]).toEqual([200, "/integrations"]);
    const [connected] = await integrations(tenantId);
    expect(connected).toMatchObject({ provider: "stripe", status: "connected", currencies: ["EUR", "USD"] });
    expect(after.text).toMatch(
      /Stripe was connected with a test key: no money moves.* Stripe Connected Test: no money moves EUR, USD /,
    );
    expect(after.text).toContain(`${app.origin}/webhooks/stripe/${tenantId} Events: checkout.session.completed, `);
    for (const text of [after.html, (await browser.open("/integrations")).html])
      for (const key of Object.values(KEYS)) expect(text).not.toContain(key);
    expect(() => after.formWith("Connect Stripe")).toThrow();
    const act = { actor_kind: "person", actor_id: memberId, object_id: connected?.id };
    expect(await acts(tenantId)).toMatchObject([{ ...act, operation: "connectIntegration" }]);
    const trail = await browser.open("/audit?operation=connectIntegration");
    expect(trail.text).toContain(`Payment integration stripe Succeeded Ids object ${connected?.id}`);
  });

  it("tells live from test, and whose events cannot be read [completions.12.test-key] [completions.12.events-refused]", async () => {
    const { tenantId, browser } = await app.newcomer();
    await browser.submit(await browser.open("/integrations"), "Connect Stripe", STRIPE);
    await setRows(app.core.store, tenantId, "payment_integrations", {
      livemode: true,
      events_problem: "Stripe does not let this key do what the service needs.",
    });
    const { text } = await browser.open("/integrations");
    expect(text).toMatch(/Stripe Connected Its events cannot be read: Stripe does not let this key .* Live EUR, USD /);
    expect(text).not.toContain("Test: no money moves");
  });

  it("lists the newest 50 of those that ended, beside what is connected [completions.7.integrations.page]", async () => {
    const { tenantId, browser } = await app.newcomer();
    await browser.submit(await browser.open("/integrations"), "Connect Sandbox", { currencies: "USD" });
    await app.core.store.write(tenantId, (tx) =>
      multiply(tx, "payment_integrations", {
        which: sql`status = 'connected'`,
        count: 60,
        changes: sql`jsonb_build_object('payment_integration_id', gen_random_uuid(), 'status', 'disconnected',
          'forgotten_at', case when n = 60 then null else one.created_at end,
          'created_at', one.created_at - n * interval '1 day')`,
      }),
    );
    const page = await browser.open("/integrations");
    expect([...page.html.matchAll(/<span id="integration-/g)]).toHaveLength(51);
    expect(page.text).toContain("Of those that ended the latest 50 are shown; the audit trail has all.");
    expect(page.linkTo("Disconnect")).toBe(`/integrations/${tenantId}/sandbox/disconnect`);
    // The oldest is the only one that may still record a payment.
    expect((await integrations(tenantId))[0]).toMatchObject({ status: "disconnected", forgotten_at: null });
  });

  it("asks for a word where workflows that are on would do much at once [completions.7.integrations.page] [completions.7.confirmed]", async () => {
    const book = await openBook(app.core.store);
    const { tenantId } = book;
    const { email, browser } = await app.newcomer("admin", tenantId);
    const customer = await book.customer({ email: "pay@globex.example.test" });
    for (let made = 0; made < 26; made += 1) await book.invoice({ customer }, [{}]);
    const settings = { type: "payment_arrangement", minimumAmount: "50", assignee: email } as const;
    await operate(app.core, tenantId, enableWorkflow, { ...settings, confirmed: true });
    const page = await browser.open("/integrations");
    const asked = await browser.submit(page, "Connect Sandbox", { currencies: "USD" });
    expect(asked.status).toBe(409);
    expect(asked.text).toContain("26 tasks at once need a confirmation. The provider was not connected.");
    expect(asked.text).toContain("26 tasks, with a mail each to the assignee");
    expect(await integrations(tenantId)).toEqual([]);
    const unticked = await browser.submit(asked, "Connect Sandbox", { currencies: "USD", confirmed: null });
    expect(unticked.status).toBe(409);
    const connected = await browser.submit(unticked, "Connect Sandbox", { currencies: "USD", confirmed: "26" });
    expect([connected.status, connected.url.pathname]).toEqual([200, "/integrations"]);
    expect(await integrations(tenantId)).toMatchObject([{ provider: "sandbox", status: "connected" }]);
  });

  it("disconnects once the person has confirmed it [completions.7.integrations.page]", async () => {
    const { tenantId, memberId, browser } = await app.newcomer();
    await browser.submit(await browser.open("/integrations"), "Connect Sandbox", { currencies: "JPY KWD" });
    const page = await browser.open("/integrations");
    const path = page.linkTo("Disconnect");
    expect(path).toBe(`/integrations/${tenantId}/sandbox/disconnect`);
    const step = await browser.open(path);
    expect(step.heading).toMatch(/^Disconnect Sandbox from Workspace/);
    expect(step.text).toContain("Links that customers have can still be paid");
    expect(await integrations(tenantId)).toMatchObject([{ provider: "sandbox", status: "connected" }]);
    const after = await browser.submit(step, "Disconnect");
    expect(after.text).toMatch(/The provider was disconnected\..* Sandbox Disconnected Test: no money moves JPY, KWD /);
    expect(await integrations(tenantId)).toMatchObject([{ provider: "sandbox", status: "disconnected" }]);
    expect((await acts(tenantId)).map((act) => [act.operation, act.actor_id])).toEqual([
      ["connectIntegration", memberId],
      ["disconnectIntegration", memberId],
    ]);
    expect((await browser.open(path)).status).toBe(404);
    expect((await browser.submit(step, "Disconnect")).status).toBe(404);
    expect(await acts(tenantId)).toHaveLength(2);
    // And again: it is another integration.
    await browser.submit(await browser.open("/integrations"), "Connect Sandbox", { currencies: "JPY" });
    const statuses = (await integrations(tenantId)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(["connected", "disconnected"]);
  });

  it.each([
    [{ secret_key: " " }, 400, "Give the secret key."],
    [{ webhook_secret: "" }, 400, "Give the webhook secret."],
    [{ currencies: " ," }, 400, "Give at least one currency."],
    [{ currencies: "usd, euros" }, 400, "euros is no currency of ISO 4217"],
    [{ currencies: "USD IRR" }, 422, "cannot be charged: IRR"],
    [{ secret_key: "sk_test of two words" }, 400, "must be one word of printable ASCII"],
    [{ secret_key: "sk_test_nobody" }, 400, "Stripe refused the secret key."],
    [{ webhook_secret: "sk_test_simulator" }, 400, "must start with whsec_, as Stripe's webhook secrets do"],
    [{ currencies: '"><script>' }, 400, '"><script> is no currency of ISO 4217'],
  ])("says what is wrong with %o [completions.7.integrations.page]", async (wrong, status, message) => {
    const { tenantId, browser } = await app.newcomer();
    const page = await browser.submit(await browser.open("/integrations"), "Connect Stripe", { ...STRIPE, ...wrong });
    expect(page.status).toBe(status);
    expect(page.text).toContain(message);
    expect(page.html).toContain('role="alert"');
    expect(page.html).not.toMatch(/<script(?! src="\/assets\/(copy|page)-)|sk_test_|whsec_of/i);
    const kept = "currencies" in wrong ? wrong.currencies : STRIPE.currencies;
    expect(page.formWith("Connect Stripe").fields).toMatchObject({
      currencies: kept,
      secret_key: "",
      webhook_secret: "",
    });
    expect(await integrations(tenantId)).toEqual([]);
    expect(await acts(tenantId)).toEqual([]);
  });

  it("says when the provider does not answer, or is connected already [completions.7.integrations.page]", async () => {
    const { tenantId, browser } = await app.newcomer();
    const page = await browser.open("/integrations");
    stripe.control({ mode: "500" });
    const down = await browser.submit(page, "Connect Stripe", STRIPE);
    stripe.control({ mode: "ok" });
    expect([down.status, down.text]).toEqual([422, expect.stringContaining("Stripe is failing.")]);
    expect((await browser.submit(page, "Connect Stripe", STRIPE)).status).toBe(200);
    const again = await browser.submit(page, "Connect Stripe", STRIPE);
    expect(again.status).toBe(409);
    expect(await integrations(tenantId)).toHaveLength(1);
  });

  it("offers the sandbox in a demo alone [completions.7.integrations.page]", async () => {
    const { tenantId, memberId, browser } = await app.newcomer();
    const form = (await browser.open("/integrations")).formWith("Connect Sandbox");
    const elsewhere = new Browser(plain.origin);
    for (const name of ["session", "browser"]) elsewhere.setCookie(name, browser.cookie(name) ?? "");
    const page = await elsewhere.open("/integrations");
    expect(page.formWith("Connect Stripe").action).toBe(`/integrations/${tenantId}/stripe`);
    expect(() => page.formWith("Connect Sandbox")).toThrow();
    const sent = await elsewhere.post(form.action, new URLSearchParams({ ...form.fields, currencies: "USD" }));
    expect(sent.status).toBe(404);
    const by = { tenantId, memberId };
    await expect(
      actAs(plain.core, by, connectIntegration, { provider: "sandbox", currencies: ["USD"] }),
    ).rejects.toMatchObject({ code: "integration_unavailable" });
    expect(await integrations(tenantId)).toEqual([]);
  });
});
