import { describe, expect, it } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { money } from "../../src/core/kernel/money.ts";
import type { BrowserPage } from "../support/browser.ts";
import { sendForm, useCollectingPages } from "../support/collecting-pages.ts";
import { recordConfirmedPayment } from "../support/confirmed-payment.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the page of a new invoice, $name", ({ open }) => {
  const workspace = useCollectingPages(open);
  const invoices = ({ app, tenantId }: Awaited<ReturnType<typeof workspace>>) =>
    app.core.store.read(tenantId, (tx) =>
      tx.selectFrom("invoices").selectAll().where("tenant_id", "=", tenantId).execute(),
    );

  it("has as many rows as are wanted, without JavaScript, and keeps what was typed [pages.run.local-invoices]", async () => {
    const browser = await (await workspace()).signedIn();
    const page = await browser.open("/invoices/new");
    const typed = [
      ["number", 'L-"1"<b>'],
      ["due", "2026-12-01"],
      ["amount", "10"],
    ] as const;
    const body = (button: string, rows: readonly (readonly [string, string])[]) =>
      sendForm(browser, page, "Create invoice", [["rows", button], ...rows]);
    const two = await body("add", typed);
    expect(two.status).toBe(200);
    expect(two.html.match(/name="amount"/g)?.length).toBe(2);
    expect(two.html).toContain('value="L-&quot;1&quot;&lt;b&gt;"');
    expect(two.html).toMatch(/id="due-0"[^>]*value="2026-12-01"/);
    const filled = [...typed, ["due", "2027-01-01"], ["amount", "20"]] as const;
    const one = await body("remove-0", filled);
    expect(one.html.match(/name="amount"/g)?.length).toBe(1);
    expect(one.html).toMatch(/id="amount-0"[^>]*value="20"/);
    expect((await body("remove-0", typed)).html.match(/name="amount"/g)?.length).toBe(1);
  });

  it("names every error at its field, all at once [pages.run.local-invoices]", async () => {
    const pages = await workspace();
    const browser = await pages.signedIn();
    const page = await browser.open("/invoices/new");
    const refused = await sendForm(browser, page, "Create invoice", [
      ["currency", "usd"],
      ["invoice_date", "2026-02-30"],
      ["customer_email", "nobody"],
      ["due", "soon"],
      ["amount", "1.005"],
      ["due", ""],
      ["amount", "abc"],
      ["due", ""],
      ["amount", ""],
    ]);
    expect(refused.status).toBe(400);
    for (const words of [
      "The invoice was not created.",
      "It must be an email address",
      "It has more decimals than USD has (2).",
      "Give an amount above zero, such as 1250.50.",
      "Give a date, such as 2026-11-30.",
    ])
      expect(refused.text).toContain(words);
    expect(refused.text.match(/Give a date, such as/g)?.length).toBe(2);
    expect(refused.text.match(/It must not be empty\./g)?.length).toBe(2);
    expect(refused.html.match(/aria-invalid="true"/g)?.length).toBe(8);
    for (const kept of ["nobody", "1.005", "abc", "soon"]) expect(refused.html).toContain(`value="${kept}"`);
    const unknown = await sendForm(browser, page, "Create invoice", [["currency", "dollars"]]);
    expect(unknown.text).toContain("DOLLARS is no currency of ISO 4217.");
    expect(await invoices(pages)).toEqual([]);
  });

  it("creates an invoice with its installments, once for each form [pages.run.local-invoices]", async () => {
    const pages = await workspace();
    const browser = await pages.signedIn();
    const page = await browser.open("/invoices/new");
    const fields = [
      ["number", "L-1"],
      ["currency", "eur"],
      ["customer_name", "Riverside <b>"],
      ["customer_email", "ap@riverside.example"],
      ["due", "2026-12-01"],
      ["amount", "1,000.50"],
      ["due", "2027-01-01"],
      ["amount", "500"],
    ] as const;
    const made = await Promise.all([1, 2].map(() => sendForm(browser, page, "Create invoice", fields)));
    expect(new Set(made.map(({ url }) => url.pathname)).size).toBe(1);
    expect(made[0]?.text).toContain("The invoice is created.");
    expect(made[0]?.text).toContain("Riverside <b>");
    const [invoice, ...others] = await invoices(pages);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({ origin: "local", currency: "EUR", total_amount: "1500.5", invoice_number: "L-1" });
    expect(await pages.audited("createLocalInvoice")).toEqual(["person: invoice succeeded"]);
    expect((await browser.open("/invoices")).html).toContain('href="/invoices/new"');
  });

  /** An invoice of the service's own with a number of installments of 10, and its edit form. */
  async function edited(count: number) {
    const pages = await workspace();
    const { id } = await operate(pages.app.core, pages.tenantId, createLocalInvoice, {
      ...{ number: "L-70", currency: "USD", amount: `${count * 10}`, customerName: "Riverside" },
      installments: Array.from({ length: count }, () => ({ dueDate: "2027-01-01", amount: "10" })),
    });
    const browser = await pages.signedIn();
    const page = await browser.open(`/invoices/${id}/edit`);
    return { pages, browser, page, id };
  }
  const rowsOf = ({ html }: BrowserPage) =>
    [...html.matchAll(/ id="(due|amount)-\d+"[^>]* value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value] as const,
    );

  it("keeps every installment of a long invoice, and refuses more than an invoice takes [pages.run.local-edit]", async () => {
    const { pages, browser, page, id } = await edited(70);
    const [whole] = await invoices(pages);
    expect(rowsOf(page).length).toBe(140);
    const saved = await sendForm(browser, page, "Save changes", rowsOf(page));
    expect(saved.text).toContain("The invoice is changed.");
    const same = { total_amount: "700", collection_outstanding: whole?.collection_outstanding };
    expect(await invoices(pages)).toMatchObject([same]);
    const again = await browser.open(`/invoices/${id}/edit`);
    const rows = Array.from({ length: 201 }, () => [["due", "2027-01-01"] as const, ["amount", "10"] as const]).flat();
    expect((await sendForm(browser, again, "Save changes", rows.slice(0, 400))).text).toContain(
      "The invoice is changed.",
    );
    const tooMany = await sendForm(browser, await browser.open(`/invoices/${id}/edit`), "Save changes", rows);
    expect(tooMany.status).toBe(400);
    expect(await invoices(pages)).toMatchObject([{ total_amount: "2000" }]);
  });

  it("looks at one row more than an invoice takes, of a form with more [pages.run.local-edit]", async () => {
    const browser = await (await workspace()).signedIn();
    const page = await browser.open("/invoices/new");
    const rows = Array.from({ length: 400 }, () => ["amount", "1.1"] as const);
    const refused = await sendForm(browser, page, "Create invoice", [["currency", "JPY"], ...rows]);
    expect(refused.status).toBe(400);
    expect(rowsOf(refused).filter(([name]) => name === "amount").length).toBe(201);
  });

  it("is not saved over what another admin changed meanwhile, and carried out once [pages.run.local-edit]", async () => {
    const { pages, browser, page, id } = await edited(2);
    const stale = await browser.open(`/invoices/${id}/edit`);
    pages.clock.advance(1_000);
    const save = (of: BrowserPage, number: string) =>
      sendForm(browser, of, "Save changes", [["number", number], ...rowsOf(of)]);
    const twice = await Promise.all([save(page, "L-71"), save(page, "L-71")]);
    for (const saved of twice) expect(saved.text).toContain("The invoice is changed.");
    const refused = await save(stale, "L-72");
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("The invoice was changed meanwhile.");
    expect((await save(refused, "L-72")).status).toBe(409);
    expect(await invoices(pages)).toMatchObject([{ invoice_number: "L-71" }]);
  });

  it("says what was paid before it is void, and what to do about it after [pages.run.local-edit] [completions.12.fell-below-paid]", async () => {
    const { pages, browser, id } = await edited(1);
    const { core } = pages.app;
    const payment = { tenantId: pages.tenantId, invoiceId: id, installmentId: null, amount: money("10") };
    await core.store.write(pages.tenantId, (tx) => recordConfirmedPayment(tx, core, payment));
    const asking = await browser.open(`/invoices/${id}/edit/void`);
    expect(asking.text).toContain("10.00 USD was paid through links. It stays recorded, and is listed with what needs");
    const gone = await sendForm(browser, asking, "Void invoice", []);
    expect(gone.text).toMatch(
      /Needs a person 10\.00 USD Paid too much since .+ Paid through links: 10\.00 USD; the invoice is void\. Refund/,
    );
    const done = await sendForm(browser, gone, "Mark as dealt with", []);
    expect(done.text).toContain("Marked as dealt with.");
    const dealtWith = (await browser.open(`/invoices/${id}`)).text;
    expect(dealtWith).toMatch(/Dealt with 10\.00 USD Paid too much/);
    expect(dealtWith).not.toContain("Needs a person 10.00 USD");
  });

  it("asks about an old due date, and edits, settles and voids what was made [pages.run.local-edit]", async () => {
    const pages = await workspace();
    const browser = await pages.signedIn();
    const page = await browser.open("/invoices/new");
    const fields = [
      ["number", "L-7"],
      ["currency", "USD"],
      ["customer_name", "Riverside"],
      ["due", "2020-01-01"],
      ["amount", "100"],
    ] as const;
    const asked = await sendForm(browser, page, "Create invoice", fields);
    expect(asked.status).toBe(400);
    expect(asked.text).toContain("The due date 2020-01-01 is more than two years back.");
    const made = await sendForm(browser, asked, "Create invoice", [["confirmed", "on"], ...fields]);
    expect(made.text).toContain("The invoice is created.");
    const [invoice] = await invoices(pages);
    const path = `/invoices/${invoice?.invoice_id}`;
    const edit = await browser.open(`${path}/edit`);
    const again = await sendForm(browser, edit, "Save changes", fields);
    expect(again.text).toContain("The due date 2020-01-01 is more than two years back.");
    const changed = fields.map(([name, value]) => [name, name === "due" ? "2026-12-01" : value] as const);
    expect((await sendForm(browser, edit, "Save changes", changed)).text).toContain("The invoice is changed.");
    const moneyOf = (amount: string) =>
      [
        ["amount", amount],
        ["date", "2026-01-05"],
        ["reference", "Transfer <7>"],
      ] as const;
    const [open, stale] = [await browser.open(`${path}/edit`), await browser.open(`${path}/edit`)];
    const wrong = await sendForm(browser, open, "Record settlement", moneyOf("100.01"));
    expect(wrong.text).toContain("It must be at most what is owed, 100.00.");
    const twice = await Promise.all([1, 2].map(() => sendForm(browser, open, "Record settlement", moneyOf("30"))));
    expect(twice[0]?.text).toContain("The settlement is recorded.");
    expect(twice[0]?.text).toContain("Transfer <7>");
    const other = await sendForm(browser, stale, "Record settlement", moneyOf("30"));
    expect([other.status, other.text]).toEqual([409, expect.stringContaining("The invoice was changed meanwhile.")]);
    expect((await sendForm(browser, other, "Record settlement", moneyOf("30"))).status).toBe(409);
    expect(await invoices(pages)).toMatchObject([{ collection_outstanding: "70", due_date: "2026-12-01" }]);
    expect(() => edit.formWith("Void invoice")).toThrow();
    const asking = await browser.open(`${path}/edit/void`);
    expect(asking.text).toMatch(
      /Void invoice L-7\? It is for Riverside, over 100\.00 USD ?; 70\.00 USD is outstanding\. Nothing is owed on it any more, for good/,
    );
    expect(asking.text).toContain("What was settled elsewhere stays recorded. Void invoice Keep");
    const gone = await sendForm(browser, asking, "Void invoice", []);
    expect(gone.text).toContain("The invoice is void.");
    expect(gone.html).not.toContain(`${path}/edit`);
    expect(await invoices(pages)).toMatchObject([{ collection_outstanding: "0" }]);
    expect((await browser.open(`${path}/edit`)).url.pathname).toBe(path);
    for (const act of ["editLocalInvoice", "settleLocalInvoice", "voidLocalInvoice"])
      expect(await pages.audited(act)).toEqual(["person: invoice succeeded"]);
  });
});
