import { describe, expect, it } from "vitest";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { readListFile } from "../support/csv.ts";
import { furnishCollecting } from "../support/furnish.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("filters of lists on $name", ({ open }) => {
  const site = useAuthApp(open);

  /** A customer who paid three times ten days late, and owes twice more. */
  async function world() {
    const book = await openBook(site.app.core.store, { name: "Acme" });
    const customer = await book.customer({ name: "Globex" });
    const paid = { due_date: "2026-01-01", closed_on: "2026-01-11", closed: true, erp_outstanding: "0" };
    await book.invoice({ customer, invoice_number: "INV-1" }, [
      { due_date: "2999-01-01", original_amount: "10.00" },
      { due_date: "2999-06-01", original_amount: "20.00" },
      { due_date: "2020-01-01", original_amount: "40.00" },
      paid,
      paid,
      paid,
    ]);
    const { email } = await site.app.addPerson(book.tenantId);
    return { browser: await site.app.signedIn(email), customer, book };
  }

  it("by days find what is expected by habit, in the list, its file and with the customer [pages.look.expected]", async () => {
    const { browser, customer } = await world();
    const january = "expected_from=2999-01-01&expected_to=2999-01-31";
    const list = await browser.open(`/installments?${january}`);
    expect([list.status, list.text]).toEqual([200, expect.stringContaining("11 Jan 2999")]);
    expect(list.text).toContain("1 of 1 installment");
    const { rows } = readListFile((await browser.open(`/installments.csv?${january}`)).html);
    expect(rows).toMatchObject([{ due_date: "2999-01-01", expected_date: "2999-01-11" }]);
    const { text } = await browser.open(`/customers/${customer.customer_id}`);
    expect(text).toMatch(/ Past .*11 Jan 2999.*11 Jun 2999/);
  });

  it.each([
    ["/invoices", "due_after", "due_before", "Due from", "Due until"],
    ["/invoices", "invoice_date_from", "invoice_date_to", "Invoice date from", "Invoice date until"],
    ["/installments", "due_from", "due_to", "Due from", "Due until"],
    ["/customers", "expected_from", "expected_to", "Payment expected from", "Payment expected until"],
    ["/payments", "paid_from", "paid_to", "Paid from", "Paid until"],
    ["/payment-links", "email_send_from", "email_send_before", "Mail goes out from", "Mail goes out before"],
  ])("by days are refused on %s where %s is after %s, in the page's words [pages.look.filters]", async (...of) => {
    const [path, first, last, label, other] = of;
    const { browser } = await world();
    const page = await browser.open(`${path}?${first}=2026-03-02&${last}=2026-03-01`);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(label)]);
    expect(page.text).toContain(`No day lies between this and “${other}”.`);
    expect(page.text).not.toContain("`");
  });

  it("have files whose figures are called as on the page, and none twice [pages.look.csv]", async () => {
    const { browser } = await world();
    for (const [path, ...own] of [
      ["/customers", "Outstanding", "Not overdue", "1–30 days", "Over 90 days", "Past habit"],
      ["/installments", "Outstanding", "Without a link", "Past habit"],
      ["/invoices", "Collected", "A link can be made for"],
    ]) {
      const { heads } = readListFile((await browser.open(`${path}.csv`)).html);
      expect(heads, path).toEqual(expect.arrayContaining(own));
      expect(new Set(heads).size, path).toBe(heads.length);
      if (path === "/installments") expect(heads).not.toContain("Amount");
    }
  });

  it("are named by the figures that obey them, and kept by the links of totals [pages.look.filters]", async () => {
    const { browser } = await world();
    const heads = ({ html }: { html: string }) =>
      [...html.matchAll(/<th scope="col"[^>]*>([^<]*)</g)].map(([, head]) => head);
    const all = await browser.open("/customers?sort=outstanding_desc");
    expect(heads(all)).toEqual(expect.arrayContaining(["Totals", "Outstanding", "Overdue"]));
    expect(all.text).not.toContain("Matching");
    const some = await browser.open("/customers?due_from=2999-02-01");
    expect(heads(some).filter((head) => /utstanding|verdue$/.test(head ?? ""))).toEqual([
      ...["Matching outstanding", "Matching overdue", "Not overdue"],
      ...["Matching outstanding", "Matching overdue", "Not overdue"],
    ]);
    expect(some.html).toContain('href="/customers?due_from=2999-02-01&amp;currency=USD">USD</a>');
    // Of an invoice all that is outstanding is shown.
    const invoices = heads(await browser.open("/invoices?search=globex"));
    expect(invoices).toEqual(expect.arrayContaining(["Totals of what matches", "Matching outstanding", "Outstanding"]));
  });

  it("by an id say what it is of, in every list [pages.look.names]", async () => {
    const { browser, book } = await world();
    const { invoice, installments } = await book.invoice({ currency: "EUR" }, [{ original_amount: "12.50" }]);
    const [installment] = installments;
    if (installment === undefined) throw new Error("the invoice has no installment");
    const { payment_link_id: linkId } = await furnishCollecting(site.app.core.store, installment);
    for (const list of ["invoices", "payments", "customers", "installments", "sync-runs"])
      expect((await browser.open(`/${list}?connection_id=${book.connectionId}`)).text, list).toContain(
        "ERP connection: Oracle Fusion",
      );
    expect((await browser.open(`/payments?payment_link_id=${linkId}`)).text).toMatch(
      /Payment link: [\d.,]+ [A-Z]{3}, active/,
    );
    expect((await browser.open(`/payments?connection_id=${invoice.invoice_id}`)).text).toContain("ERP connection: one");
    const links = (await browser.open(`/invoices/${invoice.invoice_id}`)).html;
    expect(links).toMatch(/<\/time><span class="unseen">, [\d.,]+ [A-Z]{3}, active<\/span><\/a>/);
    expect((await browser.open(`/payment-links/${linkId}`)).html).toMatch(/<title>Payment link for [\d.,]+ [A-Z]{3}/);
  });

  it("by days are refused in the audit trail, which then shows all days [pages.look.filters]", async () => {
    const { browser } = await world();
    for (const days of ["from=2026-03-02&to=2026-03-01", "from=soon"]) {
      const page = await browser.open(`/audit?${days}`);
      expect([page.status, page.text]).toEqual([400, expect.stringContaining("the first not after the last")]);
      expect(page.text).toContain("Sign in");
    }
  });
});
