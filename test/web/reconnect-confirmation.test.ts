import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnectErp } from "../../src/core/erp-connections/operations/disconnect-erp.ts";
import { listErp } from "../../src/core/erp-connections/operator-connection.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { disableWorkflow, enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { withSandbox } from "../core/workflows/support.ts";
import { type AuthApp, startAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { furnishCollecting } from "../support/furnish.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const LINKS = 26;

describe.each(A_STORE)("an ERP that was disconnected, on $name", ({ open }) => {
  const opened = useStore(open);
  let app: AuthApp;
  beforeAll(async () => {
    app = await startAuthApp(withSandbox(testCore(opened.store, new TestClock(new Date().toISOString()))));
  });
  afterAll(() => app?.close());

  it("comes back on the pages once its admin has confirmed what Auto Generate does then [completions.7.confirmed]", async () => {
    const { core } = app;
    const book = await openBook(core.store);
    const { tenantId, connectionId } = book;
    const { browser } = await app.newcomer("admin", tenantId);
    const customer = await book.customer({ email: "pay@globex.example.test" });
    for (let made = 0; made < LINKS; made += 1) await book.invoice({ customer }, [{ due_date: "2026-03-01" }]);
    await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: ["USD"] });
    await operate(core, tenantId, disconnectErp, { connectionId });
    await operate(core, tenantId, enableWorkflow, { type: "auto_generate" });
    const status = async () => (await operate(core, tenantId, listErp, {})).map((one) => one.status);

    const typed = { password: "another one", unchecked: "on" };
    const asked = await browser.submit(await browser.open("/erp-connections"), "Reconnect", typed);
    expect(asked.status).toBe(409);
    expect(asked.text).toContain("26 payment links in 1 message at once need a confirmation.");
    expect(asked.text).toMatch(
      /26 payment links: 2,600\.00 USD 1 message to customers, .* Reconnect, and let them do that/,
    );
    expect(await status()).toEqual(["disconnected"]);
    const reconnected = await browser.submit(asked, "Reconnect", { ...typed, confirmed: String(LINKS) });
    expect([reconnected.status, reconnected.url.pathname]).toEqual([200, "/erp-connections"]);
    expect(await status()).toEqual(["connected"]);
  });

  it("moves with its payment links once its admin says that the same invoices are there [contract.pages.erp-moved]", async () => {
    const { core } = app;
    const book = await openBook(core.store);
    const { tenantId } = book;
    const { browser } = await app.newcomer("admin", tenantId);
    const { installments } = await book.invoice({ customer: await book.customer({}) }, [{ due_date: "2026-03-01" }]);
    for (const debt of installments) await furnishCollecting(core.store, debt);
    for (const type of ["auto_generate", "payment_arrangement"] as const)
      await operate(core, tenantId, disableWorkflow, { type });
    const address = async () => (await operate(core, tenantId, listErp, {})).map((one) => one.url);
    const [before] = await address();

    const typed = { password: "another one", unchecked: "on", url: "https://other.fa.example.com" };
    const asked = await browser.submit(await browser.open("/erp-connections"), "Reconnect", typed);
    expect([asked.status, asked.text]).toEqual([
      400,
      expect.stringMatching(
        /Move it: the same invoices are at the new address This connection has \d+ payments? and \d+ live/,
      ),
    ]);
    expect(await address()).toEqual([before]);
    const moved = await browser.submit(asked, "Reconnect", { ...typed, same_invoices: "on" });
    expect(moved.status).toBe(200);
    expect(await address()).toEqual([typed.url]);
  });
});
