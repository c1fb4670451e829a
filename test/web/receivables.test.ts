import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useAuthApp } from "../support/auth-app.ts";
import { readListFile } from "../support/csv.ts";
import { hurtfulBook, valueInRow } from "../support/hurtful-book.ts";
import { askedOfApi, figures, readOnPages, SHOWN_LISTS } from "../support/receivables-pages.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the pages of receivables on $name", ({ open }) => {
  const site = useAuthApp(open);

  it("show each figure as the API has it for the same filter, over all pages [pages.look.figures]", async () => {
    const { book, email } = await hurtfulBook(site.app);
    const browser = await site.app.signedIn(email);
    const { text } = await browser.open("/invoices");
    expect(text).toContain("The overview and the aging leave some of it out: see what and why");
    for (const list of SHOWN_LISTS)
      for (const filters of list.filters) {
        const api = await askedOfApi(site.app.core, book.reader, list, filters);
        const shown = await readOnPages(browser, list, filters);
        const what = `${list.path} ${JSON.stringify(filters)}`;
        expect(shown.first.status, what).toBe(200);
        expect(shown.rows, what).toEqual(api.rows.map((row) => figures(list.ofRow, row)));
        expect(shown.totals, what).toEqual(api.totals.map((total) => figures(list.ofTotal, total)));
        expect(shown.first.html.length, what).toBeLessThan(100_000);
        expect(shown.first.html, what).not.toContain("<b>Bold");
        if (api.count !== undefined && api.count > 0)
          expect(shown.first.text, what).toMatch(new RegExp(`Download \\(${api.count} rows?\\): CSV Excel`));
      }
  });

  it("are files too, with each value as the API has it, and no formula [pages.look.csv]", async () => {
    const { book, email } = await hurtfulBook(site.app);
    const browser = await site.app.signedIn(email);
    for (const list of SHOWN_LISTS) {
      const api = await askedOfApi(site.app.core, book.reader, list, {});
      const file = await browser.open(`${list.path}.csv`);
      expect(file.headers.get("content-type"), list.path).toBe("text/csv; charset=utf-8; header=present");
      expect(file.headers.get("content-disposition"), list.path).toMatch(
        /^attachment; filename=[a-z-]+-\d{4}-\d\d-\d\d\.csv$/,
      );
      if (api.count !== undefined) expect(file.headers.get("x-total-count"), list.path).toBe(String(api.count));
      const { names: columns, rows } = readListFile(file.html);
      // A day that the file alone has: test/web/paid-days.test.ts.
      const names = columns.filter((name) => name !== "paid_date");
      expect(
        rows.map((row) => names.map((name) => row[name])),
        list.path,
      ).toEqual(api.rows.map((row) => names.map((name) => asCell(valueInRow(row, name)))));
      expect(rows.length, list.path).toBeGreaterThan(0);
    }
  });

  it("say of a currency that nobody knows what pages say of it, in files too [pages.look.csv]", async () => {
    const { book, email } = await hurtfulBook(site.app);
    await book.invoice({ currency: null, invoice_number: "No currency" }, [{}]);
    const browser = await site.app.signedIn(email);
    expect((await browser.open("/invoices")).html).toContain("UNKNOWN");
    const { rows } = readListFile((await browser.open("/invoices.csv?invoice_number=No+currency")).html);
    expect(rows.map(({ currency }) => currency)).toEqual(["UNKNOWN"]);
  });

  it("say as of when their own rows are, on paper and in files too [completions.10.as-of-shown]", async () => {
    const { book, email, customerId, invoiceId } = await hurtfulBook(site.app);
    const at = "2026-02-18T06:30:00.000Z";
    await setRows(site.app.core.store, book.tenantId, "erp_connections", { last_successful_sync_at: at });
    const browser = await site.app.signedIn(email);
    const statement = `/customers/${customerId}/statement`;
    for (const path of ["/", "/customers", "/installments?limit=1", `/customers/${customerId}`, statement])
      expect((await browser.open(path)).text, path).toContain("Figures as of 18 Feb 2026, 06:30");
    // Of invoices, when each was read.
    expect((await browser.open("/invoices")).text).toContain("Rows on this page as of 1 Mar 2026, 09:00");
    expect((await browser.open(`/invoices/${invoiceId}`)).text).toContain("Read from the ERP 1 Mar 2026, 09:00");
    for (const path of ["/customers", "/installments", statement]) {
      const { rows } = readListFile((await browser.open(`${path}.csv`)).html);
      expect(new Set(rows.map((row) => row.as_of)), path).toEqual(new Set(["2026-02-18 06:30"]));
    }
  });

  it("say what is wrong with a filter, beside it, and keep what was asked [pages.look.filters]", async () => {
    const { email } = await hurtfulBook(site.app);
    const browser = await site.app.signedIn(email);
    const refused = await browser.open("/invoices?currency=dollars&due_before=tomorrow&search=globex&nothing=1");
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("It must be 3 upper-case letters");
    expect(refused.text).toContain("Give a date, such as 2026-11-30.");
    expect(refused.text).toContain("This list has no filter “nothing”.");
    expect(refused.html).toContain('value="globex"');
    const lost = await browser.open("/invoices?cursor=bogus");
    expect([lost.status, lost.text]).toEqual([400, expect.stringContaining("This is the first page.")]);
    expect((await browser.open("/invoices?currency=usd&collection_status=")).status).toBe(200);
    expect((await browser.open("/invoices?search=nobody")).text).toContain("No invoice matches these filters.");
  });

  it("show an invoice's history to admins alone, and nothing where there is nothing [pages.look.roles]", async () => {
    const { book, email, invoiceId } = await hurtfulBook(site.app);
    const [admin, reader] = [
      await site.app.signedIn(email),
      (await site.app.newcomer("member", book.tenantId)).browser,
    ];
    for (const browser of [admin, reader])
      expect((await browser.open(`/invoices/${invoiceId}`)).text.includes("History")).toBe(browser === admin);
    for (const path of ["invoices/x", `invoices/${randomUUID()}`, "customers/x", `customers/unassigned:${invoiceId}`])
      expect((await admin.open(`/${path}`)).status, path).toBe(404);
  });

  it("go from one workspace to another, and come back to the one looked at last [pages.look.workspaces]", async () => {
    const { book, email } = await hurtfulBook(site.app);
    const other = await site.app.addWorkspace({ name: "Aardvark" });
    await site.app.addPerson(other.id, { email });
    const browser = await site.app.signedIn(email);
    expect((await browser.open("/")).heading).toBe("Aardvark");
    const here = await browser.open(`/?workspace=${book.tenantId}`);
    expect(here.heading).toBe("Acme &lt;Ltd>".replaceAll("&lt;", "<"));
    expect(here.html).toContain(`href="/invoices?workspace=${book.tenantId}"`);
    expect((await browser.open("/invoices")).text).toContain("Globex");
    expect((await browser.open(`/invoices?workspace=${other.id}`)).text).toContain("There are no invoices yet.");
  });
});

/** What a cell of a value reads as, once unquoted. */
function asCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = String(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d.\d{3}Z$/, "$1 $2");
  return /^-\d+(\.\d+)?$/.test(text)
    ? text
    : text.replace(/(?<=^|[;,\t\r\n])(?=(?:(?![\t\r\n])[\s\p{C}"])*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu, "'");
}
