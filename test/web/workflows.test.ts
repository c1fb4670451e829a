import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAuditTrail } from "../../src/core/audit-trail/read-audit-trail.ts";
import type { Role } from "../../src/core/gate/actor.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { setMailSettings } from "../../src/core/mail/operations/set-mail-settings.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { listWorkflowSettings } from "../../src/core/workflows/operations/list-workflows.ts";
import { runWorkflows } from "../../src/jobs/work-off.ts";
import { statements } from "../../src/signals.ts";
import { typedIn } from "../../src/web/workflows/settings-form.ts";
import { withSandbox } from "../core/workflows/support.ts";
import { type AuthApp, startAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { rowOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

describe.each(A_STORE)("the pages of workflows, $name", ({ open }) => {
  const opened = useStore(open);
  let app: AuthApp;
  beforeAll(async () => {
    app = await startAuthApp(withSandbox(testCore(opened.store, new TestClock("2026-03-10T15:00:00.000Z"))));
  });
  afterAll(() => app?.close());

  /** A workspace with debts of two customers, one with a hostile name. */
  async function office(role: Role = "admin", links = 3) {
    const { core } = app;
    const book = await openBook(core.store);
    const { tenantId } = book;
    const { email, browser } = await app.newcomer(role, tenantId);
    const customer = await book.customer({ name: "<b>Globex</b>", email: "pay@globex.example.test" });
    for (let made = 0; made < links; made += 1)
      await book.invoice({ customer, invoice_number: `INV-${made}` }, [{ due_date: "2026-03-01" }]);
    await book.invoice({ customer }, [{ due_date: "2026-06-01" }]);
    await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: ["USD"] });
    const workflows = async () => (await operate(core, tenantId, listWorkflowSettings, {})).data;
    const audited = async () =>
      (await operate(core, tenantId, readAuditTrail, { kind: "person" })).entries.map((one) => one.operation);
    return { book, tenantId, email, browser, customer, workflows, audited };
  }
  const AUTO = "/workflows/auto_generate/preview";

  it("says what Auto Generate would do, with the mails themselves, and changes nothing [pages.run.preview]", async () => {
    const { browser, workflows, customer } = await office();
    const page = await browser.open(AUTO);
    expect(page.html).toContain(`<a href="/customers/${customer.customer_id}">&lt;b&gt;Globex&lt;/b&gt;</a>`);
    expect(page.text).toMatch(/New payment links 3 Asked for in USD 300\.00 USD Mails to customers 1/);
    expect(page.text).toContain("1 invoice: due later. Its turn comes by itself");
    const wider = await browser.open(`${AUTO}?given=yes&send_at=10:30&days_before_due=200&message=0`);
    expect(wider.text).toMatch(/New payment links 4 Asked for in USD 400\.00 USD/);
    expect(wider.text).toContain("The mail to <b>Globex</b> From Acme Ltd To pay@globex.example.test");
    const document = /<iframe[^>]*src="([^"]+)"/.exec(wider.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const mail = await browser.open(document);
    expect(mail.html).toContain("INV-2");
    expect(mail.html).not.toContain("<b>Globex</b>");
    expect(mail.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*sandbox$/);
    expect(await workflows()).toEqual([]);
  });

  it("says that the mails name nobody to ask, until they do [pages.run.preview-contact]", async () => {
    const { browser, tenantId } = await office();
    const words = "The mails have customers contact your company, and do not say how.";
    const page = await browser.open(AUTO);
    expect(page.text).toContain(words);
    expect(page.linkTo("Name a contact")).toBe("/mails");
    for (const given of [{ contact: "Ana" }, { contact: null, replyTo: "ar@acme.example" }]) {
      await operate(app.core, tenantId, setMailSettings, given);
      expect((await browser.open(AUTO)).text).not.toContain(words);
    }
  });

  it("plans the book once for a page, and for a mail only what its customer owes [pages.run.preview-cost]", async () => {
    const { browser, book } = await office();
    for (const name of ["Other", "More"]) await book.invoice({ customer: await book.customer({ name }) }, [{}]);
    const asked: { sql: string }[] = [];
    const unfollow = statements.follow({
      store: new AsyncLocalStorage<undefined>(),
      began: () => undefined,
      ended: ({ sql }) => void asked.push({ sql }),
    });
    const wholeBook = () =>
      asked.splice(0).filter(({ sql }) => /"collection_status" = \$\d/.test(sql) && !/is not distinct from/.test(sql));
    const page = await browser.open(`${AUTO}?message=0`);
    expect(page.html).toContain("<iframe");
    expect(wholeBook()).toHaveLength(1);
    const [, document = ""] = /<iframe[^>]*src="([^"]+)"/.exec(page.html) ?? [];
    expect((await browser.open(document.replaceAll("&amp;", "&"))).html).toContain("INV-2");
    expect(wholeBook()).toEqual([]);
    unfollow();
  });

  it("shows every mail of a plan, ten at a time [pages.run.preview]", async () => {
    const { browser, book } = await office();
    const names = Array.from({ length: 22 }, (_, index) => `Customer ${String(index).padStart(2, "0")}`);
    for (const name of names) {
      const customer = await book.customer({ name, email: `${name.slice(-2)}@example.test` });
      await book.invoice({ customer }, [{ due_date: "2026-03-01" }]);
    }
    const shown = new Set<string>();
    let page = await browser.open(`${AUTO}?given=yes&send_at=10:30&days_before_due=5`);
    for (const more of [13, 3, 0]) {
      for (const [name] of page.text.matchAll(/Customer \d\d/g)) shown.add(name);
      if (more > 0) page = await browser.open(page.linkTo(`Next mails (${more} more)`));
    }
    expect(page.text).not.toContain("Next mails");
    expect([...shown].sort()).toEqual(names);
    const [last] = page.text.match(/Customer \d\d/) ?? [];
    const mail = /<a href="([^"]+#mail)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect((await browser.open(mail)).text).toContain(`The mail to ${last}`);
  });

  it("turns Auto Generate on, changes it and turns it off, each in the audit trail [pages.run.workflows]", async () => {
    const { browser, tenantId, workflows, audited } = await office();
    const preview = await browser.open(`${AUTO}?given=yes&send_at=10:30&days_before_due=5`);
    const on = await browser.submit(preview, "Turn Auto Generate on");
    expect([on.url.pathname, on.text]).toEqual(["/workflows", expect.stringContaining("Auto Generate is on.")]);
    expect(await workflows()).toMatchObject([{ enabled: true, send_at: "10:30", days_before_due: 5 }]);
    await runWorkflows(app.core);
    const history = await browser.open("/workflow-history");
    expect(history.text).toMatch(/INV-0 <b>Globex<\/b> .* Auto Generate Payment link made/);
    expect(history.html).toMatch(/<a href="\/invoices\/[0-9a-f-]{36}"/);

    const saved = await browser.submit(
      await browser.open(`${AUTO}?given=yes&send_at=11:00&days_before_due=9`),
      "Save settings",
    );
    expect(saved.text).toContain("The settings of Auto Generate were saved.");
    const stale = await browser.open(`${AUTO}?given=yes&send_at=12:00&days_before_due=9`);
    const sure = await browser.open("/workflows/auto_generate/disable");
    expect(sure.text).toMatch(/Scheduled: 1 mail with 3 links, the first on 1[01] Mar 2026/);
    const off = await browser.submit(sure, "Turn off and cancel 1 mail");
    expect(off.text).toContain("Auto Generate is off. 1 scheduled mail will not be sent.");
    expect(await workflows()).toMatchObject([{ enabled: false, send_at: "11:00", days_before_due: 9 }]);
    const refused = await browser.submit(stale, "Save settings");
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("or changed it meanwhile")]);
    expect(await workflows()).toMatchObject([{ enabled: false, send_at: "11:00" }]);
    expect(refused.formWith("Turn Auto Generate on").fields.send_at).toBe("12:00");
    const acts = (await audited()).filter((act) => act !== "signIn").sort();
    expect(acts).toEqual(["disableWorkflow", "enableWorkflow", "enableWorkflow"]);
    expect((await browser.open(`/workflows?workspace=${tenantId}`)).text).toContain("Preview and turn on");
  });

  it("changes what was changed on a page that was opened before, and nothing else [pages.run.unseen]", async () => {
    const { browser, email, customer, tenantId, workflows } = await office();
    const rule = { type: "payment_arrangement", minimumAmount: "50", assignee: email } as const;
    await operate(app.core, tenantId, enableWorkflow, rule);
    const path = "/workflows/payment_arrangement/preview";
    const { fields } = (await browser.open(path)).formWith("Show what would happen");
    await operate(app.core, tenantId, enableWorkflow, { ...rule, minimumAmount: "70" });
    const query = { ...fields, customer: customer.customer_id };
    const preview = await browser.open(`${path}?${new URLSearchParams(query)}`);
    expect(preview.formWith("Save settings").fields.minimum_amount).toBe("70");
    expect(preview.html).not.toContain('role="alert"');
    const clash = await browser.open(`${path}?${new URLSearchParams({ ...query, minimum_amount: "60" })}`);
    expect(clash.text).toContain("Somebody changed the same settings meanwhile.");
    await browser.submit(preview, "Save settings");
    expect(await workflows()).toMatchObject([{ minimum_amount: "70", customers: [customer.customer_id] }]);
    // A page has no boxes for as many customers.
    const [stored] = await workflows();
    const many = stored && { ...stored, customers: Array.from({ length: 301 }, () => crypto.randomUUID()) };
    const sent = Object.fromEntries(typedIn({}, "payment_arrangement", many).typed);
    const { typed } = typedIn(sent, "payment_arrangement", stored);
    expect(typed.getAll("customer")).toEqual([customer.customer_id]);
  });

  it("keeps scheduled mails where that is asked for [pages.run.workflows]", async () => {
    const { browser, tenantId } = await office();
    await operate(app.core, tenantId, enableWorkflow, { type: "auto_generate" });
    await runWorkflows(app.core);
    const off = await browser.submit(await browser.open("/workflows/auto_generate/disable"), "Turn off, but send it");
    expect(off.text).toContain("Auto Generate is off. 1 scheduled mail will still be sent.");
    const ask = await browser.open("/workflows/auto_generate/disable");
    expect(ask.text).toContain("Cancel the mails of Auto Generate?");
    const cancelled = await browser.submit(ask, "Cancel 1 mail");
    expect(cancelled.text).toContain("Auto Generate is off. 1 scheduled mail will not be sent.");
    expect(cancelled.text).not.toContain("Cancel its mails");
    const { payment_link_id: id } = await rowOf(opened.store, tenantId, "payment_links");
    const link = await browser.open(`/payment-links/${id}`);
    expect(link.text).toContain(
      "was cancelled. It is scheduled again once Auto Generate is on, and its ERP connected.",
    );
  });

  it("asks to confirm much at once, and again when the book has changed [pages.run.confirm]", async () => {
    const { browser, book, customer, workflows } = await office("admin", 26);
    const preview = await browser.open(AUTO);
    expect(preview.html).toContain('name="confirmed" value="26" required');
    const unconfirmed = await browser.submit(preview, "Turn Auto Generate on");
    expect([unconfirmed.status, unconfirmed.text]).toEqual([409, expect.stringContaining("Nothing was changed")]);
    await book.invoice({ customer }, [{ due_date: "2026-03-02" }]);
    const stale = await browser.submit(preview, "Turn Auto Generate on", { confirmed: "26" });
    expect([stale.status, stale.html.includes('value="27" required')]).toEqual([409, true]);
    expect(await workflows()).toEqual([]);
    const on = await browser.submit(stale, "Turn Auto Generate on", { confirmed: "27" });
    expect(on.text).toContain("Auto Generate is on.");
  });

  it("chooses assignee, amount and customers of Payment Arrangement, and names a wrong field [pages.run.arrangement]", async () => {
    const { browser, email, customer, workflows } = await office();
    const path = "/workflows/payment_arrangement/preview";
    const empty = await browser.open(path);
    expect([empty.status, empty.html.includes('role="alert"')]).toEqual([200, false]);
    const wrong = await browser.open(`${path}?given=yes&assignee=&minimum_amount=-5`);
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Choose a member.");
    expect(wrong.text).toContain("Give an amount above zero, such as 1250.50.");
    expect(wrong.html).toContain('value="-5"');
    const found = await browser.open(`${path}?given=yes&assignee=${email}&minimum_amount=50&search=globex`);
    expect(found.html).toContain(`name="customer" value="${customer.customer_id}"`);
    expect(found.html).toContain("&lt;b&gt;Globex&lt;/b&gt;");
    const query = new URLSearchParams({ given: "yes", assignee: email, customer: customer.customer_id });
    const preview = await browser.open(`${path}?${query}`);
    expect(preview.text).toContain("New tasks 4");
    await browser.submit(preview, "Turn Payment Arrangement on");
    expect(await workflows()).toMatchObject([
      { assignee: email, minimum_amount: null, customers: [customer.customer_id] },
    ]);
    expect((await browser.open("/workflows")).text).toContain("Customers <b>Globex</b>");
    expect((await browser.open("/workflows/everything/preview")).status).toBe(404);
  });
});
