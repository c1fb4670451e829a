import { describe, expect, it } from "vitest";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { furnishCollecting } from "../support/furnish.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the search on $name", ({ open }) => {
  const site = useAuthApp(open);

  /** A customer with an invoice, one who owes nothing, a local invoice, and a payment with its receipt. */
  async function searchable() {
    const { store } = site.app.core;
    const book = await openBook(store);
    const { browser } = await site.app.newcomer("member", book.tenantId);
    const globex = await book.customer({ name: "Globex Söhne", number: "4711\n4799", email: "Billing@globex.example" });
    const idle = await book.customer({ name: "Idle Hands", number: "4712", email_override: "idle@hands.example" });
    const paid = { collection_status: "paid", collection_outstanding: "0" } as const;
    await book.invoice({ customer: idle, invoice_number: "P-1", ...paid });
    const facts = { customer: globex, invoice_number: "INV-20417", total_amount: "8534.38" };
    const parts = [{ original_amount: "8534.38", erp_outstanding: "2500" }] as const;
    const owed = await book.invoice(facts, parts);
    const local = await book.invoice({ origin: "local", invoice_number: "L-9", customer_email: "pay@local.example" });
    const { payment_id: payment } = await furnishCollecting(store, owed.installments[0]);
    const receipt = { erp_receipt_number: "PL-77", amount: "31.5", provider_payment_id: "pi_3Q" };
    await setRows(store, book.tenantId, "payments", receipt, { payment_id: payment });
    const search = (q: string) => browser.open(`/search?${new URLSearchParams({ q })}`);
    const paths = {
      globex: `/customers/${globex.customer_id}`,
      idle: `/customers/${idle.customer_id}`,
      invoice: `/invoices/${owed.invoice.invoice_id}`,
      local: `/invoices/${local.invoice.invoice_id}`,
      payment: `/payments/${payment}`,
    };
    return { search, paths, browser };
  }

  it("opens the only one that a name, number, email or reference means [pages.look.search]", async () => {
    const { search, paths } = await searchable();
    const meant: readonly [string, string][] = [
      ["globex SÖHNE", paths.globex],
      ["4711", paths.globex],
      ["4799", paths.globex],
      ["billing@GLOBEX.example", paths.globex],
      ["Idle Hands", paths.idle],
      ["idle@hands.example", paths.idle],
      [" inv-20417 ", paths.invoice],
      ["PL-77", paths.payment],
      ["pi_3Q", paths.payment],
    ];
    for (const [text, path] of meant) {
      const page = await search(text);
      expect([page.url.pathname, page.status], text).toEqual([path, 200]);
    }
  });

  it("lists in groups what is meant otherwise, each a link [pages.look.search]", async () => {
    const { search, paths } = await searchable();
    const found: readonly [string, string[]][] = [
      ["globex", [paths.globex, paths.invoice]],
      ["@", [paths.globex, paths.idle]],
      ["hands", [paths.idle]],
      ["20417", [paths.invoice]],
      ["$8,534.38", [paths.invoice]],
      ["8534.38 USD", [paths.invoice]],
      ["2 500.00", [paths.invoice]],
      ["31.50", [paths.payment]],
      ["Pay@local.example", [paths.local]],
    ];
    for (const [text, expected] of found) {
      const page = await search(text);
      expect(page.url.pathname, text).toBe("/search");
      const own = new Set(Object.values(paths).filter((path) => page.html.includes(`href="${path}"`)));
      for (const path of expected) expect([...own], text).toContain(path);
      const others = [paths.local, paths.idle].filter((path) => !expected.includes(path));
      for (const path of others) expect([...own], text).not.toContain(path);
    }
  });

  it("says that nothing is found, and who has a name like it [pages.look.search]", async () => {
    const { search, paths, browser } = await searchable();
    const like = await search("Glöbex Sohne");
    expect(like.text).toContain("Nothing was found.");
    expect(like.linkTo("Globex Söhne")).toBe(paths.globex);
    expect((await search("x".repeat(5_000))).text).toContain("It can be a customer's name");
    expect((await search("<b>%_'\\")).text).toContain("Search for “<b>%_'\\”");
    expect((await browser.open("/search")).text).toContain("Write in the box above what you have");
    const stranger = await site.app.newcomer();
    for (const text of ["4711", "INV-20417", "PL-77", "pi_3Q", "8534.38", "globex", "pay@local.example"]) {
      const page = await stranger.browser.open(`/search?q=${text}`);
      expect(page.url.pathname, text).toBe("/search");
      expect(page.text, text).toContain("Nothing was found.");
    }
  });

  it("is a form on every page, about the workspace at hand [pages.look.search-key]", async () => {
    const { browser } = await searchable();
    for (const path of [
      "/",
      "/invoices",
      "/settings",
      "/security",
      `/invoices/${crypto.randomUUID()}`,
      "/search?q=INV",
    ]) {
      const page = await browser.open(path);
      expect(page.formWith("Search"), path).toMatchObject({
        action: "/search",
        fields: { q: path.split("q=")[1] ?? "" },
      });
    }
    const { email, tenantId } = await site.app.newcomer();
    const second = await openBook(site.app.core.store, { name: "Zeta" });
    await site.app.addPerson(second.tenantId, { email });
    const both = await site.app.signedIn(email);
    const form = (await both.open(`/invoices?workspace=${second.tenantId}`)).formWith("Search");
    expect(form.fields).toEqual({ q: "", workspace: second.tenantId });
    expect(tenantId).not.toBe(second.tenantId);
  });
});
