import { describe, expect, it } from "vitest";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { reconnectErp } from "../../src/core/erp-connections/operations/reconnect-erp.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import type { ErpConnectionRow } from "../../src/store/tables/erp.ts";
import { actAs } from "../support/acting.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { rowsOf, setRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";

const ACCESS = { url: "https://pod.fa.example.com", user: "AR_SVC", password: "the erp's own password" };

/** Where nobody on the pages sends the service; each is tried in one of the two forms that take an address. */
const INSIDE = [
  "http://pod.fa.example.com",
  "https://127.0.0.1",
  "https://10.0.0.7",
  "https://[::1]",
  "https://localhost",
  "https://erp.corp",
  "https://metadata.google.internal",
  "https://pod.fa.example.com:8443",
  "https://user:pw@pod.fa.example.com",
  "file:///etc/passwd",
  "",
];

describe.each(STORES.slice(0, 1))("the page of ERP connections", ({ open }) => {
  const site = useAuthApp(open);

  const connections = (tenantId: string) => rowsOf(site.app.core.store, tenantId, "erp_connections");
  const update = (tenantId: string, change: Partial<ErpConnectionRow>) =>
    setRows(site.app.core.store, tenantId, "erp_connections", change);
  const connected = async () => {
    const person = await site.app.newcomer();
    await operate(site.app.core, person.tenantId, connectErp, {
      provider: "oracle_fusion",
      url: ACCESS.url,
      username: ACCESS.user,
      password: ACCESS.password,
    });
    return person;
  };

  it("connects an ERP, and shows everything but the password [contract.pages.erp-connections]", async () => {
    const { browser, tenantId, memberId } = await site.app.newcomer();
    const page = await browser.open("/erp-connections");
    expect(page.text).toContain("No ERP is connected.");
    const settings = { pull_from: "2025-01-01", interval: "30", apply_mode: "automatch", receipt_method: "Wire" };
    const done = await browser.submit(page, "Connect ERP", {
      ...ACCESS,
      ...settings,
      unchecked: "on",
      contact_name: "",
      auto_sync: "on",
    });
    expect(done.text).toContain("Saved. The ERP was not asked");
    expect(done.text).toContain("Address https://pod.fa.example.com");
    expect(done.text).toContain("No sync has succeeded at this address yet: what came from it so far is a part.");
    expect(done.html).not.toContain("the erp");
    expect(await connections(tenantId)).toMatchObject([
      {
        ...{
          base_url: ACCESS.url,
          username: ACCESS.user,
          pull_invoice_date_from: "2025-01-01",
          receipt_method: "Wire",
        },
        ...{
          pull_contact_name: false,
          apply_mode: "automatch",
          auto_sync_enabled: true,
          auto_sync_interval_minutes: 30,
        },
      },
    ]);
    expect(await site.app.trail(tenantId, "connectErp")).toMatchObject([{ actor_id: memberId }]);
  });

  it("asks the ERP before anything is saved, and says what it was told [contract.erp.checked]", async () => {
    const { tenantId, memberId } = await site.app.newcomer();
    const erp = createFusionSimulator({
      credentials: { username: "U", password: "right" },
      ...generateBook({ seed: 1, today: "2026-03-10", invoices: 3 }),
    });
    const url = await erp.listen();
    const core: Core = { ...site.app.core, localErps: true };
    const by = { tenantId, memberId };
    const given = { provider: "oracle_fusion", url, username: "U", password: "right" } as const;
    try {
      const wrong = actAs(core, by, connectErp, { ...given, password: "wrong", check: "refuse" });
      await expect(wrong).rejects.toMatchObject({ details: [{ field: "password" }] });
      expect(await connections(tenantId)).toEqual([]);
      const { id: connectionId } = await actAs(core, by, connectErp, { ...given, check: "refuse" });
      const newer = actAs(core, by, reconnectErp, { connectionId, password: "wrong", check: "refuse" });
      await expect(newer).rejects.toMatchObject({ details: [{ field: "password" }] });
      await actAs(core, by, reconnectErp, { connectionId, password: "right", check: "refuse" });
    } finally {
      await erp.close();
    }
    const gone = actAs(core, by, connectErp, { ...given, check: "refuse" });
    await expect(gone).rejects.toMatchObject({
      details: [{ field: "url", message: expect.stringMatching(/no ERP that answers/) }],
    });
    const { browser } = await site.app.newcomer();
    const refused = await browser.submit(await browser.open("/erp-connections"), "Connect ERP", ACCESS);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringMatching(/It (leads to no ERP that answers now|did not answer)/),
    ]);
  });

  it("takes no contacts over that were declined in a form that was refused [contract.pages.erp-connections]", async () => {
    const { browser } = await site.app.newcomer();
    const declined = { ...ACCESS, url: "https://10.0.0.7", contact_name: "" };
    const refused = await browser.submit(await browser.open("/erp-connections"), "Connect ERP", declined);
    expect(refused.status).toBe(400);
    expect(refused.html).not.toMatch(/name="contact_name"[^>]*checked/);
    const blank = await browser.submit(refused, "Connect ERP", { ...ACCESS, user: " " });
    expect(blank.text).toContain("It must not be empty.");
  });

  it("sends the service to no host inside [contract.pages.erp-hosts]", async () => {
    const { browser, tenantId } = await connected();
    const page = await browser.open("/erp-connections");
    for (const [index, url] of INSIDE.entries()) {
      const refused = await browser.submit(page, index % 2 === 0 ? "Connect ERP" : "Reconnect", { ...ACCESS, url });
      expect([url, refused.status, refused.text]).toEqual([
        url,
        400,
        expect.stringMatching(/It must be an? (public )?https?/),
      ]);
      expect(refused.html).not.toContain("own password");
    }
    expect((await connections(tenantId)).map((row) => row.base_url)).toEqual([ACCESS.url]);
  });

  it("keeps an address that an operator named, and lets a demo's people name this machine [contract.pages.erp-hosts]", async () => {
    const { browser, tenantId, memberId } = await site.app.newcomer();
    const named = { provider: "oracle_fusion", url: "http://erp.corp:8080", username: "U", password: "p" } as const;
    await operate(site.app.core, tenantId, connectErp, named);
    const page = await browser.submit(await browser.open("/erp-connections"), "Reconnect", {
      password: "another one",
      unchecked: "on",
    });
    expect(page.text).toContain("Saved. The ERP was not asked");
    const demo: Core = { ...site.app.core, localErps: true };
    const local = { ...named, url: "http://127.0.0.1:4010" };
    const by = { tenantId, memberId };
    await expect(actAs(demo, by, connectErp, local)).resolves.toMatchObject({ url: local.url });
    await expect(actAs(demo, by, connectErp, { ...local, url: "http://10.0.0.7" })).rejects.toMatchObject({
      code: "validation_failed",
    });
  });

  it("says in words how a connection stands, and how fresh its figures are [service.3.1.words]", async () => {
    const { browser, tenantId } = await connected();
    const hoursAgo = (hours: number) => new Date(site.clock.now().getTime() - hours * 3600_000).toISOString();
    const says = async (change: Partial<ErpConnectionRow>) => {
      await update(tenantId, change);
      return (await browser.open("/erp-connections")).text;
    };
    const fresh = { last_sync_at: hoursAgo(3), last_successful_sync_at: hoursAgo(3) };
    expect(await says(fresh)).toMatch(/Connected Its figures are as of [^.]+, 3 hours ago\./);
    const failing = await says({ status: "requires_reauthentication", last_sync_at: hoursAgo(1) });
    expect(failing).toContain("Every sync fails until it is reconnected below.");
    const away = await says({ status: "temporarily_unavailable", last_sync_at: hoursAgo(3) });
    expect(away).toContain("The ERP could not be reached. ");
    expect(away).not.toContain("Syncs are tried and fail");
    expect(await says({ status: "connected", sync_enabled: false })).toContain("Sync is off Sync is switched off");
    const gone = await says({ status: "disconnected", last_sync_at: hoursAgo(1) });
    expect(gone).toContain("It holds no password and nothing is pulled. What it brought in stays;");
    expect(gone).not.toContain("Pulls are tried");
    const never = await says({ last_successful_sync_at: null });
    expect(never).toContain("It holds no password and nothing is pulled. No sync ever succeeded.");
    expect(never).not.toMatch(/stays|Pulls are tried|succeeded yet/);
  });

  it("reconnects, chooses what is pulled, switches sync off and on, disconnects [service.1.person-acts] [pages.run.unseen]", async () => {
    const { browser, tenantId } = await connected();
    const submit = async (button: string, fields: Record<string, string> = {}) =>
      browser.submit(await browser.open("/erp-connections"), button, fields);
    const [before] = await connections(tenantId);
    await update(tenantId, { status: "requires_reauthentication" });
    // As the form stands: the ERP is asked first, and does not answer.
    const asked = await submit("Reconnect", { password: "a wrong one" });
    expect([asked.status, await connections(tenantId)]).toMatchObject([400, [{ credential: before?.credential }]]);
    expect((await submit("Reconnect", { password: "a newer one", unchecked: "on" })).text).toContain("was not asked");
    const [after] = await connections(tenantId);
    expect([after?.status, after?.credential === before?.credential]).toEqual(["connected", false]);
    const shown = await browser.open("/erp-connections");
    await update(tenantId, { base_url: "https://moved.example.test" });
    await browser.submit(shown, "Reconnect", { password: "of the shown one", unchecked: "on" });
    expect(await connections(tenantId)).toMatchObject([{ base_url: ACCESS.url }]);
    const stale = await browser.open("/erp-connections");
    const off = { contact_name: "", auto_sync: "", interval: "15", pull_from: "", push_mode: "held" };
    const saved = await submit("Save", { ...off, name: "Group ledger" });
    expect(saved.text).toMatch(/The settings were saved\..* Group ledger Connected/);
    expect(await connections(tenantId)).toMatchObject([
      { pull_contact_name: false, auto_sync_enabled: false, auto_sync_interval_minutes: 15, payment_push_mode: "held" },
    ]);
    // Opened before: what it does not change stays as somebody set it meanwhile.
    await browser.submit(stale, "Save", { interval: "25" });
    expect(await connections(tenantId)).toMatchObject([
      { name: "Group ledger", auto_sync_interval_minutes: 25, payment_push_mode: "held", pull_contact_name: false },
    ]);
    const wrong = await submit("Save", { interval: "5", pull_from: "2025-02-31" });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("Nothing was changed.")]);
    expect(wrong.html).toContain('value="5"');

    expect((await submit("Switch sync off")).text).toContain("If a sync was under way, it was ended.");
    expect((await browser.open("/erp-connections")).html).not.toContain("Sync now");
    expect((await submit("Switch sync on")).text).toContain("Sync is switched on.");
    const sure = await browser.open((await browser.open("/erp-connections")).linkTo("Disconnect"));
    expect(sure.text).toMatch(/It has brought in no invoices\.(?! Auto Generate)/);
    expect((await browser.submit(sure, "Disconnect")).text).toContain("The ERP was disconnected");
    expect(await connections(tenantId)).toMatchObject([{ status: "disconnected", credential: null }]);
  });

  it("starts a pull, which is seen under way and then in its figures [service.1.person-acts]", async () => {
    const { browser, tenantId } = await connected();
    const book = generateBook({ seed: 3, today: "2026-03-10", invoices: 5 });
    const erp = createFusionSimulator({ credentials: { username: ACCESS.user, password: ACCESS.password }, ...book });
    await erp.listen();
    await update(tenantId, { base_url: erp.url });
    // Nothing but what this test starts: the other connections lead nowhere.
    await setRows(site.app.core.store, null, "erp_connections", { auto_sync_enabled: false });
    const started = await browser.submit(await browser.open("/erp-connections"), "Sync now");
    expect(started.text).toContain("The sync has started");
    expect(started.text).toMatch(/Sync of .* Under way .* 0 invoices read so far/);
    const again = await browser.submit(await browser.open("/erp-connections"), "Sync now");
    expect([again.status, again.text]).toEqual([409, expect.stringContaining("A sync is under way since")]);
    expect(again.text).toMatch(/Sync run [0-9a-f-]{36} is already in flight\./);
    // Whatever a process finds under way as it starts belonged to one that is gone.
    const jobs = createJobs(site.app.core, { lookEveryMs: 20 });
    await jobs.start();
    const ended = await browser.open("/erp-connections");
    expect(ended.text).toMatch(/The last sync failed on [^:]+:[^:]+: The service was stopped/);
    site.clock.advance(1_000);
    await browser.submit(ended, "Sync now");
    const pulled = async () => (await browser.open("/erp-connections")).text;
    await expect.poll(pulled, { timeout: 120_000 }).toMatch(/Its figures are as of [^.]+, just now\./);
    await jobs.drain();
    await erp.close();
  });
});
