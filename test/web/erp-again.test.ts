import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnectErp } from "../../src/core/erp-connections/operations/disconnect-erp.ts";
import { listErp } from "../../src/core/erp-connections/operator-connection.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { disableWorkflow, enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { terminalOn } from "../admin/support.ts";
import { withSandbox } from "../core/workflows/support.ts";
import { type AuthApp, startAuthApp, useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { furnishCollecting } from "../support/furnish.ts";
import { connectWorkspace, runPull } from "../support/pulls.ts";
import { setRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
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
      /26 payment links: 2,600\.00 USD 1 mail to customers, .* Reconnect, and let them do that/,
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
    await setRows(core.store, tenantId, "erp_connections", { base_url: ACCESS.url });
    const [before] = await address();
    const opened = await browser.open("/erp-connections");

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
    // A page that was open before means the address that it shows, and asks before it takes it back there.
    const late = await browser.submit(opened, "Reconnect", { password: "a third one", unchecked: "on" });
    expect([late.status, late.text]).toEqual([400, expect.stringContaining("Move it: the same invoices")]);
    expect(await address()).toEqual([typed.url]);
  });
});

const ACCESS = {
  url: "https://pod.fa.example.com",
  user: "AR_SVC",
  password: "the erp's own password",
  unchecked: "on",
};

describe.each(A_STORE)("an ERP that is connected already, on $name", ({ open }) => {
  const site = useAuthApp(open);

  it("is asked about before it is connected again, as any user, and its page says so [contract.pages.erp-twin]", async () => {
    const { tenantId, browser } = await site.app.newcomer();
    const first = await browser.submit(await browser.open("/erp-connections"), "Connect ERP", ACCESS);
    expect(first.text).toContain("Saved. The ERP was not asked");
    const page = await browser.open("/erp-connections");
    const [{ id: connectionId } = { id: "" }] = await operate(site.app.core, tenantId, listErp, {});
    const label = "Connect it again: this user sees other invoices";
    expect(page.text).not.toContain(label);
    const again = { ...ACCESS, url: `${ACCESS.url.toUpperCase()}./`, user: "OTHER" };
    site.clock.advance(1_000);
    const asked = await browser.submit(page, "Connect ERP", again);
    expect(asked.status).toBe(400);
    expect(asked.text).toContain(
      `${label} This ERP is connected already, as AR_SVC: an invoice that both users see would come twice, and its customer be asked twice.`,
    );
    expect(await operate(site.app.core, tenantId, listErp, {})).toHaveLength(1);
    const done = await browser.submit(asked, "Connect ERP", { ...again, same_erp: "on" });
    expect(done.text).toContain("Saved. The ERP was not asked");
    expect(done.text).toContain("This ERP is connected twice, here and as OTHER: an invoice that both users see comes");
    expect(done.text).toContain(
      "This ERP is connected twice, here and as AR_SVC: an invoice that both users see comes",
    );
    await operate(site.app.core, tenantId, disconnectErp, { connectionId });
    const left = await browser.open("/erp-connections");
    expect(left.text).not.toContain("connected twice");
    // The first "Reconnect" of the page is that of the first connection.
    const refused = await browser.submit(left, "Reconnect", ACCESS);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("connected already, as OTHER")]);
    const both = await browser.submit(refused, "Reconnect", { ...ACCESS, same_erp: "on" });
    expect(both.text).toContain("connected twice, here and as OTHER");
  });
});

const BOOK = generateBook({ seed: 3, today: "2026-03-10", invoices: 40 });

describe.each(STORES.slice(0, 1))("invoices that an ERP no longer shows", ({ open }) => {
  const site = useAuthApp(open);

  async function world() {
    const { tenantId, browser } = await site.app.newcomer();
    const erp = createFusionSimulator(BOOK);
    const connectionId = await connectWorkspace(site.app.core, tenantId, await erp.listen());
    const pull = () => runPull(site.app.core, tenantId, connectionId);
    return { browser, erp, connectionId, pull, tenantId };
  }
  const hide = (erp: FusionSimulator) =>
    erp.removeInvoices(...BOOK.invoices.slice(0, 30).map((invoice) => String(invoice.CustomerTransactionId)));

  it("are shown before they are retired, and an admin confirms it [contract.pages.erp-retire] [completions.12.brake-confirmed]", async () => {
    const { browser, tenantId, erp, connectionId, pull } = await world();
    const path = `/erp-connections/${tenantId}/${connectionId}/retire`;
    await pull();
    hide(erp);
    expect(await browser.open(path)).toMatchObject({ status: 404 });
    await pull();
    const needs = await browser.open("/attention");
    expect(needs.text).toMatch(/Invoices ?Missing in the ERP/);
    expect(needs.text).toContain("The ERP no longer shows 30 invoices, ");
    expect((await browser.open("/")).text).toContain("The ERP no longer shows 30 invoices");
    const page = await browser.open("/erp-connections");
    expect(page.text).toContain("They are kept until you confirm that they are gone.");
    const shown = await browser.open(path);
    expect(shown.text).toContain("Vision Operations: 30 invoices, 687,775 JPY, 10,004.00 EUR, 42,517.00 GBP, ");
    await pull();
    const late = await browser.submit(shown, "Confirm that they are gone");
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("holds nothing back any more")]);
    const done = await browser.submit(await browser.open(path), "Confirm that they are gone");
    expect(done.text).toContain("Confirmed. The next complete sync retires what is still missing.");
    expect((await browser.open("/attention")).text).not.toContain("no longer shows 30 invoices");
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 30 });
    await erp.close();
  });

  it("are confirmed at the terminal [contract.admin.erp-retire-missing] [completions.12.brake-confirmed]", async () => {
    const { tenantId, erp, connectionId, pull } = await world();
    const terminal = terminalOn(site.app.core);
    await pull();
    hide(erp);
    const jobs = createJobs(site.app.core, { lookEveryMs: 20 });
    await jobs.start();
    const sync = `erp sync --workspace ${tenantId} --wait`;
    expect(await terminal(sync)).toMatchObject({
      ...{ code: 1, err: expect.stringContaining("The ERP no longer shows 30 invoices, ") },
    });
    const { out } = await terminal(`attention list --workspace ${tenantId}`);
    const command = `erp sync --workspace ${tenantId} --connection ${connectionId} --retire-missing`;
    expect(out).toContain(`npm run admin -- ${command}`);
    const retired = await terminal(`${command} --wait --json`);
    expect(JSON.parse(retired.out)).toMatchObject({ status: "succeeded", invoices_retired: 30 });
    expect(await terminal(command)).toMatchObject({ code: 1, err: expect.stringContaining("nothing to confirm") });
    await jobs.drain();
    await erp.close();
  });
});
