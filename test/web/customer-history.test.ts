import { describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { setCustomerMailing } from "../../src/core/customers/operations/customer-mailing.ts";
import { addCustomerNote, completeCustomerNote } from "../../src/core/customers/operations/customer-notes.ts";
import { setCustomerEmail } from "../../src/core/customers/operations/set-customer-email.ts";
import { setErpSyncSchedule } from "../../src/core/erp-connections/operations/change-settings.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { setMailSettings } from "../../src/core/mail/operations/set-mail-settings.ts";
import { reschedulePaymentLinkEmail } from "../../src/core/payment-links/operations/emails.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { freshRequest } from "../support/acting.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { officeOf } from "../support/customer-office.ts";
import type { NewLink } from "../support/emailed-links.ts";
import { integrationRow, linkRow, paymentRow } from "../support/furnish.ts";
import { taskRow } from "../support/rows.ts";
import { addRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("what happened with a customer, on $name", ({ open }) => {
  const site = useAuthApp(open);

  const office = () => officeOf(site.app);

  /** Two links that went out in one mail, one of them paid, and one whose mail is planned; and another customer's link. */
  async function busy() {
    const at = await office();
    const { store, book, customer } = at;
    const integration = integrationRow(book.tenantId);
    const linked = async (of: typeof customer, number: string, row: Partial<NewLink>) => {
      const facts = { customer: of, invoice_number: number, customer_email: "ap@globex.example" };
      const { installments } = await book.invoice(facts, [{ due_date: "2026-02-01" }]);
      return linkRow(installments[0], integration.payment_integration_id, row);
    };
    const mailed: Partial<NewLink> = {
      ...{ email_status: "sent", email_to: "ap@globex.example", email_message_id: book.tenantId },
      ...{ email_send_at: "2026-02-05T08:00:00.000Z", email_sent_at: "2026-02-05T08:01:00.000Z" },
    };
    const first = await linked(customer, "INV-1", { ...mailed, created_at: "2026-02-02T08:00:00.000Z" });
    const paid = { state: "paid", created_at: "2026-02-03T08:00:00.000Z" } as const;
    const second = await linked(customer, "INV-2", { ...mailed, ...paid });
    const planned = await linked(customer, "INV-3", {
      ...{ created_at: "2026-02-04T08:00:00.000Z", email_status: "scheduled", email_to: "old@globex.example" },
      email_send_at: "2026-12-24T08:00:00.000Z",
    });
    const foreign = await linked(await book.customer({ name: "Initech" }), "INV-9", {
      ...{ ...mailed, email_message_id: crypto.randomUUID() },
    });
    await addRows(store, book.tenantId, {
      payment_integrations: integration,
      payment_links: [first, second, planned, foreign],
      payments: paymentRow(second, {
        ...{ paid_at: "2026-02-06T08:00:00.000Z", erp_push_status: "applied", erp_receipt_number: "PAY-7" },
      }),
      tasks: taskRow(book.tenantId, first.invoice_id, { created_at: "2026-02-01T08:00:00.000Z" }),
    });
    return { ...at, first, planned };
  }

  it("stands on their page, newest first, with the way to each [pages.look.history]", async () => {
    const { browser, member, path, first } = await busy();
    await browser.submit(await browser.open(path), "Save billing email", { email: "own@globex.example" });
    for (const reader of [browser, member]) {
      const { html, text } = await reader.open(path);
      const shown = text.slice(text.lastIndexOf("When What"));
      const places = [
        /Mail own@globex\.example INV-3 .* Planned/,
        /Set customer email [\w@.-]+: email billing@globex\.example\.test → own@globex\.example/,
        /Payment PAY-7 INV-2 10\.00 USD Applied/,
        /Mail ap@globex\.example INV-1, INV-2 – None Sent/,
        /Payment link INV-3 10\.00 USD Active/,
        /Payment link INV-2 10\.00 USD Paid/,
        /Payment link INV-1 10\.00 USD Active/,
        /Task INV-1 – None Open/,
      ].map((words) => shown.search(words));
      expect(places, shown).toEqual(places.toSorted((one, next) => one - next));
      expect(places[0], shown).toBeGreaterThan(0);
      expect(shown.match(/Mail ap@globex/g)).toHaveLength(1);
      expect(shown).not.toContain("INV-9");
      expect(html).toContain(`href="/payment-links/${first.payment_link_id}"`);
    }
    const stopped = await browser.submit(await browser.open(path), "Stop mails to them");
    expect(stopped.text).toMatch(/Mail own@globex\.example INV-3 – None To be cancelled/);
  });

  it("has a mail's text one click away, all links of a message in it [pages.look.history]", async () => {
    const { member, first, planned } = await busy();
    const sent = await member.open(`/payment-links/${first.payment_link_id}/mail`);
    expect(sent.text).toContain("Sent to ap@globex.example on 5 Feb 2026, 21:01 . It is written again as of its day");
    expect(sent.text).toContain(`${first.url}`);
    expect(sent.text).toMatch(/INV-1.*INV-2/s);
    expect(sent.text).not.toContain("INV-9");
    const { text } = await member.open(`/payment-links/${planned.payment_link_id}/mail`);
    expect([text.includes("INV-3"), text.includes("INV-1")]).toEqual([true, false]);
    expect((await member.open(`/payment-links/${crypto.randomUUID()}/mail`)).status).toBe(404);
  });

  it("names the address a mail goes to, or was to go to, alike wherever it stands [pages.look.history]", async () => {
    const { book, customer, browser, member, path, planned } = await busy();
    const link = `/payment-links/${planned.payment_link_id}`;
    const named = async () => {
      const pages = await Promise.all([link, `${link}/mail`, "/payment-links", path].map((one) => member.open(one)));
      return pages.map(
        ({ text }) => text.match(/(old|ap|own|late)@globex\.example(?= on| was| ?, 24 Dec| INV-3)/)?.[1],
      );
    };
    expect(await named()).toEqual(["ap", "ap", "ap", "ap"]);
    const given = { customerId: customer.customer_id, email: "own@globex.example" };
    await operate(site.app.core, book.tenantId, setCustomerEmail, given);
    expect(await named()).toEqual(["own", "own", "own", "own"]);
    expect((await member.open(`${link}/mail`)).text).toContain("This is how it reads now.");
    await browser.submit(await browser.open(`${link}/cancel-mail`), "Cancel the mail");
    expect((await browser.open(link)).text).toMatch(/History .* Cancel payment link email [\w@.-]+ These pages/);
    await operate(site.app.core, book.tenantId, setCustomerEmail, { ...given, email: "late@globex.example" });
    expect(await named()).toEqual(["own", "own", "own", "own"]);
  });

  it("is one click away from its links and tasks, and a link's mail from the link [pages.look.history]", async () => {
    const { member, path, first } = await busy();
    const link = `/payment-links/${first.payment_link_id}`;
    for (const one of ["/payment-links", "/tasks", link])
      expect((await member.open(one)).html, one).toContain(`href="${path}">Globex</a>`);
    expect((await member.open(link)).html).toContain(`href="${link}/mail"`);
  });

  it("is paged [pages.look.history]", async () => {
    const { book, customer, member, path } = await office();
    const at = { core: site.app.core, tenantId: book.tenantId };
    for (let number = 1; number <= 25; number += 1) {
      site.clock.advance(60_000);
      await operate(at.core, at.tenantId, addCustomerNote, {
        customerId: customer.customer_id,
        text: `Note no ${number}.`,
      });
    }
    const numbers = (text: string) => [...text.matchAll(/Note no (\d+)/g)].map(([, number]) => Number(number));
    const newest = await member.open(path);
    expect(newest.html).toContain(`href="${path}?older=20">Older`);
    expect(numbers(newest.text)).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
    expect(numbers((await member.open(`${path}?older=20`)).text)).toEqual([5, 4, 3, 2, 1]);
  });

  it("says in the audit trail, and in its file, what was before and what is now [completions.1.audit.changed]", async () => {
    const { book, browser, customer, planned } = await busy();
    const { core } = site.app;
    const { connectionId, tenantId } = book;
    const customerId = customer.customer_id;
    site.clock.set("2026-03-01T09:00:00.000Z");
    await operate(core, tenantId, setCustomerEmail, { customerId, email: "own@globex.example" });
    await operate(core, tenantId, setCustomerMailing, { customerId, noMail: true });
    const { id } = await operate(core, tenantId, addCustomerNote, { customerId, text: "x", dueOn: "2026-03-06" });
    await operate(core, tenantId, completeCustomerNote, { id });
    await operate(core, tenantId, setMailSettings, { contact: "Ann" });
    await operate(core, tenantId, enableWorkflow, { type: "auto_generate", sendAt: "08:00", confirmed: true });
    await operate(core, tenantId, enableWorkflow, { type: "auto_generate", sendAt: "10:30", confirmed: true });
    const { id: keyId } = await operate(core, tenantId, createApiKey, { name: "admin", permission: "admin" });
    const key = { kind: "api_key", tenantId, keyId, permission: "admin" } as const;
    const off = { connection_id: connectionId, interval_minutes: 90, enabled: false };
    await setErpSyncSchedule.call(key, off, freshRequest(core));
    const moved = { payment_link_id: planned.payment_link_id, send_at: "2026-03-09T20:00:00Z" };
    await reschedulePaymentLinkEmail.call(key, moved, freshRequest(core));
    const { text: page, html } = await browser.open("/audit");
    expect(html).toContain(`href="/customers/${customerId}?workspace=${tenantId}"`);
    const { text: file } = await browser.open("/audit.csv");
    for (const text of [page, file])
      for (const said of [
        "email billing@globex.example.test → own@globex.example",
        "mailed yes → no",
        "Due: 2026-03-06",
        "Written: 1 Mar 2026, 22:00",
        "contact none → Ann",
        "send at 08:00 → 10:30",
        "auto sync interval minutes 60 → 90",
        "send at 24 Dec 2026, 21:00 → 10 Mar 2026, 09:00",
      ])
        expect(text).toContain(said);
  });
});
