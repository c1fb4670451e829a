import { describe, expect, it } from "vitest";
import { setMailSettings } from "../../src/core/mail/operations/set-mail-settings.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { readListFile } from "../support/csv.ts";
import { integrationRow, linkRow, paymentRow } from "../support/furnish.ts";
import { addRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("a statement of account on $name", ({ open }) => {
  const site = useAuthApp(open);

  /** A customer who owes two installments, one with two live links and one with a withdrawn link, and who paid twice. */
  async function owing() {
    const { store } = site.app.core;
    const book = await openBook(store, { name: "Acme & Sons", timezone: "America/New_York" });
    const customer = await book.customer({ name: "Globex", numbers: "G-1" });
    const facts = { customer, invoice_number: "INV-7", invoice_date: "2026-01-15", currency: "USD" };
    const parts = [
      { due_date: "2026-02-01", original_amount: "100", collection_outstanding: "60", sequence_number: 1 },
      { due_date: "2026-03-20", original_amount: "40", sequence_number: 2 },
    ];
    const [first, second] = (await book.invoice(facts, parts)).installments;
    if (first === undefined || second === undefined) throw new Error("the invoice has two installments");
    const integration = integrationRow(book.tenantId);
    const link = (of: typeof first, row: Partial<ReturnType<typeof linkRow>>) =>
      linkRow(of, integration.payment_integration_id, row);
    const paid = [
      link(first, { state: "paid", url: "https://pay.example.test/paid" }),
      link(first, { state: "paid", url: "https://pay.example.test/paid-before" }),
    ] as const;
    const links = [
      link(first, { url: "https://pay.example.test/older", created_at: "2026-02-01T09:00:00.000Z" }),
      link(first, { url: "https://pay.example.test/newer", created_at: "2026-02-02T09:00:00.000Z", amount: "25" }),
      link(second, { state: "deactivated", url: "https://pay.example.test/withdrawn" }),
      ...paid,
    ];
    await addRows(store, book.tenantId, {
      payment_integrations: integration,
      payment_links: links,
      payments: [
        // In New York it is still the 14th.
        paymentRow(paid[0], { paid_at: "2026-02-15T03:30:00.000Z", amount: "33.33" }),
        paymentRow(paid[1], { paid_at: "2025-11-01T12:00:00.000Z", amount: "44.44" }),
      ],
    });
    const { email } = await site.app.addPerson(book.tenantId);
    return {
      book,
      customer,
      path: `/customers/${customer.customer_id}/statement`,
      browser: await site.app.signedIn(email),
    };
  }

  it("has who writes and whom to ask, what was asked for, what is open, and where to pay it [pages.look.statement-sent]", async () => {
    const { book, path } = await owing();
    const { email, memberId } = await site.app.addPerson(book.tenantId);
    const actor = { kind: "person", tenantId: book.tenantId, memberId } as const;
    const letterhead = {
      postalAddress: "1 Main Street\nSpringfield",
      contact: "Ann, +1 555 0100",
      replyTo: "ar@acme.example",
    };
    await setMailSettings.call(actor, letterhead, { core: site.app.core, requestId: "letterhead" });
    const admin = await site.app.signedIn(email);
    const { browser: member } = await site.app.newcomer("member", book.tenantId);
    for (const browser of [admin, member]) {
      const { text, html } = await browser.open(path);
      expect(text).toContain(
        "From Acme & Sons 1 Main Street Springfield Ann, +1 555 0100 ar@acme.example To Globex G-1",
      );
      expect(text).toMatch(/INV-7 1 of 2 15 Jan 2026 1 Feb 2026 \d+ 100\.00 USD 60\.00 USD Pay 25\.00 USD/);
      expect(text).toMatch(/INV-7 2 of 2 15 Jan 2026 20 Mar 2026 .* 40\.00 USD 40\.00 USD/);
      expect([...html.matchAll(/https:\/\/pay\.example\.test\/\w+/g)].map(String)).toEqual([
        "https://pay.example.test/newer",
      ]);
      // Addresses that a customer cannot open.
      expect(html).not.toContain('href="/invoices/');
    }
  });

  it("tells its reader, and not the customer, what the ERP doubts [pages.look.statement-sent]", async () => {
    const { book, customer, path, browser } = await owing();
    expect((await browser.open(path)).text).not.toContain("disputed");
    const doubted = { collectible: false, not_collectible_reason: "disputed", disputed: true } as const;
    await book.invoice({ customer, invoice_number: "INV-8", currency: "USD" }, [doubted]);
    const { html } = await browser.open(path);
    expect(html).toMatch(/<div class="on-screen"><p class="warn">[^<]* disputed or not finalised, [^<]*: INV-8\./);
  });

  it("has the payments of 90 days, or since a day that is chosen [pages.look.statement-sent]", async () => {
    const { path, browser } = await owing();
    site.clock.set("2026-03-01T12:00:00.000Z");
    const usual = (await browser.open(path)).text;
    expect(usual).toContain("Payments through links since 1 Dec 2025");
    expect(usual).toMatch(/14 Feb 2026, 22:30 INV-7 33\.33 USD/);
    expect(usual).not.toContain("44.44");
    const since = (await browser.open(`${path}?since=2025-11-01`)).text;
    expect(since).toMatch(/14 Feb 2026, 22:30 INV-7 33\.33 USD .*1 Nov 2025, 08:00 INV-7 44\.44 USD/);
    const none = (await browser.open(`${path}?since=2026-02-15`)).text;
    expect(none).toContain("Payments through links since 15 Feb 2026 None.");
    for (const [day, words] of [
      ["tomorrow", "Give a date"],
      ["2026-13-45", "Give a date"],
      ["2026-03-02", "It must not be in the future."],
    ]) {
      const refused = await browser.open(`${path}?since=${day}`);
      expect([refused.status, refused.text], day).toEqual([400, expect.stringContaining(words ?? "")]);
      expect(refused.html).toMatch(new RegExp(`id="since"[^>]* value="${day}"`));
      expect(refused.text).not.toContain("Payments through links since");
    }
  });

  it("is a file with the same columns, and nothing internal [pages.look.statement-sent]", async () => {
    const { path, browser } = await owing();
    const { headers, html } = await browser.open(`${path}.csv`);
    expect(headers.get("content-disposition")).toMatch(/filename="?statement-Globex-\d{4}-\d\d-\d\d\.csv/);
    const { names, rows } = readListFile(html);
    expect(rows).toMatchObject([
      { invoice_date: "2026-01-15", original_amount: "100.00", outstanding: "60.00", pay_amount: "25.00" },
      { invoice_date: "2026-01-15", original_amount: "40.00", outstanding: "40.00", pay_link: "" },
    ]);
    expect(names.filter((name) => /collectible|expected|available|_id$/.test(name))).toEqual([]);
  });

  it("says on each sheet of a print whose it is, when, in which zone and with which filters [pages.look.sheets]", async () => {
    const { book, path, browser } = await owing();
    site.clock.set("2026-03-01T12:00:00.000Z");
    const sheetAt = async (at: string) =>
      /<p class="each-sheet">(.*?)<\/p>/s.exec((await browser.open(at)).html)?.[1]?.replaceAll(/<[^>]+>|&nbsp;/g, "");
    const now = "Acme &amp; Sons · 1\u00a0Mar\u00a02026, 07:00 (America/New_York)";
    expect(await sheetAt(path)).toBe(`${now} · Statement of account: Globex`);
    expect(await sheetAt("/invoices")).toBe(now);
    const { customer_id: id } = await book.customer({ name: "Initech" });
    const filters = `currency=USD&collection_status=open&due_after=2026-01-01&customer_id=${id}`;
    expect(await sheetAt(`/invoices?${filters}`)).toMatch(/ · .*Status: Open; .*Currency: USD/);
    expect(await sheetAt("/audit?from=2026-01-01")).toBe(`${now} · From: 2026-01-01`);
  });
});
