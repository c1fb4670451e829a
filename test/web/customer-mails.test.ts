import { describe, expect, it } from "vitest";
import { readAuditTrail } from "../../src/core/audit-trail/read-audit-trail.ts";
import type { Role } from "../../src/core/gate/actor.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("a customer's mails on their page, $name", ({ open }) => {
  const site = useAuthApp(open);

  async function office(role: Role = "admin", erpEmail: string | null = "erp@globex.example.test") {
    const { core } = site.app;
    const book = await openBook(core.store);
    const { browser } = await site.app.newcomer(role, book.tenantId);
    const customer = await book.customer({ name: "<b>Globex</b>", email: erpEmail });
    const unmailed = { collectible: false, not_collectible_reason: "no_billing_email" } as const;
    const { invoice } = await book.invoice({ customer, customer_email: erpEmail }, [erpEmail === null ? unmailed : {}]);
    const path = `/customers/${customer.customer_id}`;
    const acts = async () =>
      (await operate(core, book.tenantId, readAuditTrail, { kind: "person" })).entries
        .map((entry) => entry.operation)
        .filter((act) => act !== "signIn")
        .sort();
    return { browser, path, invoice, acts, tenantId: book.tenantId };
  }

  it("says at the first billing email that Auto Generate goes on by it [pages.run.billing-email]", async () => {
    const { browser, path, tenantId } = await office("admin", null);
    await operate(site.app.core, tenantId, enableWorkflow, { type: "auto_generate" });
    const saved = await browser.submit(await browser.open(path), "Save billing email", { email: "own@globex.example" });
    expect(saved.text).toContain(
      "0 mails are planned. Workflows look at 1 invoice now: links that Auto Generate makes are mailed there too.",
    );
    const again = await browser.submit(saved, "Save billing email", { email: "own@globex.example" });
    expect(again.text).not.toContain("Workflows look at");
  });

  it("sets, changes and clears the billing email, and says whose counts [pages.run.billing-email]", async () => {
    const { browser, path, acts } = await office();
    const before = await browser.open(path);
    expect(before.text).toContain("Billing email in use erp@globex.example.test From the ERP");
    const wrong = await browser.submit(before, "Save billing email", { email: "two addresses" });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("It must be an email address, such as")]);
    expect(wrong.html).toContain('value="two addresses"');
    const none = await browser.submit(before, "Save billing email", { email: " " });
    expect(none.text).toContain("It must be an email address, such as billing@example.com. ");
    const set = await browser.submit(wrong, "Save billing email", { email: "own@globex.example.test" });
    expect(set.text).toContain("The billing email set here is in use: 0 mails are planned.");
    expect(set.text).toMatch(/in use own@globex\.example\.test Set here, in place of the ERP's In the ERP erp@globex/);
    const changed = await browser.submit(set, "Save billing email", { email: "other@globex.example.test" });
    expect(changed.text).toContain("Billing email in use other@globex.example.test");
    const cleared = await browser.submit(changed, "Use the ERP address");
    expect(cleared.text).toContain("in use erp@globex.example.test From the ERP");
    expect(await acts()).toEqual(["setCustomerEmail", "setCustomerEmail", "setCustomerEmail"]);
  });

  it("says that the same address is no change, and of the ERP's own that it is set here [pages.run.billing-email]", async () => {
    const { browser, path, acts } = await office();
    const email = "erp@globex.example.test";
    const set = await browser.submit(await browser.open(path), "Save billing email", { email });
    expect(set.text).toContain(`email set here none → ${email} `);
    const same = await browser.submit(set, "Save billing email", { email });
    expect(same.text).toContain("Nothing was changed: it was so already.");
    expect(await acts()).toEqual(["setCustomerEmail"]);
  });

  it("makes a debt collectible by setting an address, and not by clearing it [pages.run.billing-email]", async () => {
    const { browser, path, invoice } = await office("admin", null);
    const before = await browser.open(path);
    expect(before.text).toContain("nothing of this customer can be collected until there is one");
    const lacks = async () =>
      (await browser.open(`/invoices/${invoice.invoice_id}`)).text.includes("The customer has no billing email");
    expect(await lacks()).toBe(true);
    const set = await browser.submit(before, "Save billing email", { email: "own@globex.example.test" });
    expect(await lacks()).toBe(false);
    await browser.submit(set, "Remove it");
    expect(await lacks()).toBe(true);
  });

  it("shows an address in the ERP that nobody can mail to, and says why it does not count [completions.7.billing-email-form]", async () => {
    const { browser, path } = await office("admin", "ap@a.example; ar@a.example");
    const before = await browser.open(path);
    expect(before.text).toContain("In the ERP ap@a.example; ar@a.example");
    expect(before.text).toContain("Correct it in the ERP, or set an address here.");
    expect(before.text).toContain("Billing email in use –");
    const set = await browser.submit(before, "Save billing email", { email: "Ana <mailto:ap@a.example>;" });
    expect(set.text).toContain("Billing email in use ap@a.example Set here");
    expect(set.text).toContain("so no mail can be sent to it. Correct it in the ERP.");
  });

  it("stops mails to a customer and begins them again [completions.7.no-mail]", async () => {
    const { browser, path, acts } = await office();
    const stopped = await browser.submit(await browser.open(path), "Stop mails to them");
    expect(stopped.text).toContain("This customer is not mailed any more.");
    expect(stopped.text).toMatch(/Billing email \S+ Not mailed/);
    expect(stopped.text).toContain("Mailing Do not mail");
    expect(stopped.text).not.toContain("Mailed");
    const again = await browser.submit(stopped, "Mail them again");
    expect(again.text).toContain("This customer is mailed again.");
    expect(again.text).toContain("Mailing Allowed");
    expect(await acts()).toEqual(["setCustomerMailing", "setCustomerMailing"]);
  });

  it("is read by members", async () => {
    const member = await office("member");
    const seen = await member.browser.open(member.path);
    expect(seen.text).toContain("Billing email in use erp@globex.example.test From the ERP");
  });
});
