import { describe, expect, it } from "vitest";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { followBridge } from "../support/receivables-pages.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the bridge's page on $name", ({ open }) => {
  const site = useAuthApp(open);

  it("leads from each figure to rows that come to it [pages.look.bridge]", async () => {
    const book = await openBook(site.app.core.store);
    const due_date = "2020-01-31";
    for (const currency of ["USD", null]) {
      const balance = { currency, erp_invoice_open_balance: "100.10", has_installments: true };
      await book.invoice(balance, [
        { due_date, erp_outstanding: "100.10", collection_outstanding: "60.10" },
        { due_date: null, erp_outstanding: "1.50" },
        { due_date, erp_outstanding: "2.25", closed: true, not_collectible_reason: "closed" },
        { due_date, erp_outstanding: "-4", collection_outstanding: "0" },
        { due_date, erp_outstanding: "7", not_collectible_reason: "disputed" },
      ]);
      await book.invoice({ ...balance, retired_at: "2026-03-01T00:00:00.000Z" }, [{ erp_outstanding: "47.40" }]);
      await book.invoice({ origin: "local", currency, due_date, collection_outstanding: "5" });
    }
    const { email } = await site.app.addPerson(book.tenantId, { role: "member" });
    const browser = await site.app.signedIn(email);
    const followed = await followBridge(browser);
    expect(followed).toHaveLength(26);
    for (const { name, href, shown, total } of followed) expect([name, href, total]).toEqual([name, href, shown]);
    expect((await browser.open("/")).html).toContain('href="/bridge"');
    expect((await browser.open("/invoices")).html.match(/href="\/bridge"/g)).toHaveLength(2);
    const { text } = await browser.open("/bridge");
    expect(text).toMatch(/Figures as of 1 Mar 2026/);
    expect(text).toContain("Received, not yet in the ERP's balance");
  });

  it("says that nothing is owed in an empty book [pages.look.bridge]", async () => {
    const book = await openBook(site.app.core.store);
    const { email } = await site.app.addPerson(book.tenantId);
    const browser = await site.app.signedIn(email);
    expect((await browser.open("/bridge")).text).toContain("Nothing is owed.");
    expect((await browser.open("/bridge/invoices")).text).toContain("No invoice is outstanding.");
  });
});
