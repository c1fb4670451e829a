import { describe, expect, it } from "vitest";
import { createJobs } from "../../src/jobs/schedule.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { terminalOn } from "../admin/support.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { connectWorkspace, runPull } from "../support/pulls.ts";
import { STORES } from "../support/stores.ts";

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
    expect((await browser.open("/")).text).toContain("1 ERP no longer shows many invoices");
    const page = await browser.open("/erp-connections");
    expect(page.text).toContain("They are kept until you confirm that they are gone.");
    const shown = await browser.open(path);
    expect(shown.text).toContain("Vision Operations: 30 invoices, 687,775 JPY, 10,004.00 EUR, 42,517.00 GBP, ");
    await pull();
    const late = await browser.submit(shown, "Confirm that they are gone");
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("holds nothing back any more")]);
    const done = await browser.submit(await browser.open(path), "Confirm that they are gone");
    expect(done.text).toContain("Confirmed. The next complete sync retires what is still missing.");
    expect((await browser.open("/attention")).text).toContain("Nothing needs a person.");
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
