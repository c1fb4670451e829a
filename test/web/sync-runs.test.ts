import { describe, expect, it } from "vitest";
import type { Role } from "../../src/core/gate/actor.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { Browser } from "../support/browser.ts";
import { syncRunRow } from "../support/rows.ts";
import { addRows, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the sync history of an ERP, $name", ({ open }) => {
  const site = useAuthApp(open);

  async function signedIn(role: Role = "admin") {
    const { store } = site.app.core;
    const book = await openBook(store);
    const { browser } = await site.app.newcomer(role, book.tenantId);
    const add = async (row: Parameters<typeof syncRunRow>[2]): Promise<string> => {
      const run = syncRunRow(book.tenantId, book.connectionId, row);
      await addRows(store, book.tenantId, { sync_runs: run });
      return run.sync_run_id;
    };
    return { browser, add, book, store };
  }

  const FAILED = {
    status: "failed",
    trigger: "scheduled",
    started_at: "2026-03-01T10:00:00.000Z",
    finished_at: "2026-03-01T10:01:05.000Z",
    error_code: "erp_rejected",
    error_reason: { code: "unusable", what: "<script>alert(1)</script> 403" },
  } as const;
  const SUCCEEDED = { finished_at: "2026-03-01T09:00:02.000Z", invoices_read: 1204, invoices_created: 3 } as const;

  it("tells each run's trigger, outcome, time taken and figures, to members too [pages.run.syncs]", async () => {
    for (const role of ["admin", "member"] as const) {
      const { browser, add } = await signedIn(role);
      const [good, bad] = [await add(SUCCEEDED), await add(FAILED)];
      const list = await browser.open("/sync-runs");
      expect(list.text).toMatch(
        /1 Mar 2026, 10:00 Oracle Fusion Failed The ERP's answer could not be used\. By schedule 1 minute 5 seconds/,
      );
      expect(list.text).toMatch(/1 Mar 2026, 09:00 Oracle Fusion Succeeded By hand 2 seconds 1,204 3 0 0/);
      expect((await browser.open("/sync-runs?status=failed")).text).toContain("1 of 1 sync");
      const run = await browser.open(`/sync-runs/${bad}`);
      expect(run.text).toContain("It ended after 1 minute 5 seconds, with 0 invoices read.");
      expect(run.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; 403");
      const other = await browser.open(`/sync-runs/${good}`);
      expect(other.text).toContain("1,204 invoices read in 2 seconds, 3 of them new or changed.");
      const gone = await browser.open(`/sync-runs/${await add({ ...SUCCEEDED, invoices_retired: 5 })}`);
      expect(gone.text).toContain("3 of them new or changed. 5 invoices are gone from the ERP.");
      const unexpected = await browser.open(`/sync-runs/${await add({ ...FAILED, error_code: "internal_error" })}`);
      expect(unexpected.text).toContain("If that fails too, ask the operator of this service");
      expect(other.text).toMatch(/ERP Oracle Fusion\b(?! at)/);
      expect(other.headers.get("content-security-policy")).not.toContain("connect-src");
    }
  });

  it("leads from its figures to what changed since it began [pages.run.syncs]", async () => {
    const { browser, add, book } = await signedIn();
    for (const [invoice_number, updated_at] of [
      ["Older", "2026-03-01T08:59:59.999Z"],
      ["Changed", "2026-03-01T09:00:01.000Z"],
    ] as const)
      await book.invoice({ invoice_number, updated_at }, [{}]);
    const same = await browser.open(`/sync-runs/${await add({ ...SUCCEEDED, invoices_created: 0 })}`);
    expect(same.text).not.toContain("Which invoices");
    const run = { ...SUCCEEDED, started_at: "2026-03-01T09:00:00.000Z", invoices_created: 0, invoices_retired: 1 };
    const page = await browser.open(`/sync-runs/${await add(run)}`);
    expect(page.text).toContain("Which invoices these were is not kept.");
    const [, href = ""] = page.html.match(/href="([^"]*)">Invoices changed since/) ?? [];
    const list = await browser.open(href.replaceAll("&amp;", "&"));
    expect(list.text).toContain("1 of 1 invoice");
    expect(list.text).toContain("Changed");
    expect(list.text).not.toContain("Older");
  });

  it("names each run's ERP as a person does [pages.look.names]", async () => {
    for (const role of ["admin", "member"] as const) {
      const { browser, add, book, store } = await signedIn(role);
      await add(SUCCEEDED);
      await setRows(store, book.tenantId, "erp_connections", { name: "Ledger of France" });
      const list = await browser.open(`/sync-runs?connection_id=${book.connectionId}`);
      expect(list.text).toMatch(/Ledger of France.*Ledger of France Succeeded/);
      expect(list.text).not.toContain("erp.example.test");
    }
  });

  it("says that a sync has started only while it is under way, and leads on to the overview [pages.run.notices]", async () => {
    const { browser, add } = await signedIn();
    const started = await browser.openDone(
      `/sync-runs/${await add({ status: "running", finished_at: null })}?done=started`,
    );
    expect(started.text).toContain("The sync has started.");
    expect(started.text).not.toContain("See the overview");
    const ended = await browser.openDone(`/sync-runs/${await add(SUCCEEDED)}?done=started`);
    expect(ended.text).not.toContain("The sync has started.");
    expect(ended.html).toContain('<a class="button" href="/">See the overview</a>');
  });

  it("says what was done in the browser that did it, not to who follows a link that claims it [pages.run.notices]", async () => {
    const { browser } = await signedIn();
    const claim = "/connections?done=revoked";
    expect((await browser.open(claim)).text).not.toContain("The connection was revoked.");
    const after = await browser.open(`/signin?next=${encodeURIComponent(claim)}`);
    expect(after.text).not.toContain("The connection was revoked.");
    expect((await browser.openDone(claim)).text).toContain("The connection was revoked.");
  });

  it("follows a run that is under way, and no page besides does [pages.run.live]", async () => {
    const { browser, add } = await signedIn();
    const path = `/sync-runs/${await add({ status: "running", finished_at: null, invoices_read: 60 })}`;
    const page = await browser.open(path);
    expect(page.text).toMatch(/Under way for .*: 60 invoices read so far\. .* See how far it is now/);
    expect(page.headers.get("content-security-policy")).toMatch(/script-src 'self';connect-src 'self'$/);
    const script = await browser.open(/<script src="([^"]+live[^"]+)" defer>/.exec(page.html)?.[1] ?? "");
    expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect((await browser.open("/sync-runs")).html).not.toContain("/live-");
  });

  it("says where to begin where nothing was synced, and hides other workspaces' runs [pages.run.foreign]", async () => {
    const [mine, other] = [await signedIn(), await signedIn("member")];
    expect((await mine.browser.open("/sync-runs")).html).toContain('<a href="/erp-connections">Connect an ERP</a>');
    expect((await other.browser.open("/sync-runs")).text).toContain("An admin of the workspace connects the ERP.");
    const foreign = await mine.browser.open(`/sync-runs/${await other.add(FAILED)}`);
    const missing = await mine.browser.open("/sync-runs/8a6e0804-2bd0-4672-b79d-d97027f9071a");
    expect([foreign.status, missing.status, foreign.text === missing.text]).toEqual([404, 404, true]);
    expect((await new Browser(site.app.origin).open("/sync-runs")).url.pathname).toBe("/signin");
  });
});
