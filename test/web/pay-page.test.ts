import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { setMailSettings } from "../../src/core/mail/operations/set-mail-settings.ts";
import { readableTime } from "../../src/core/mail/readable.ts";
import { createPaymentLink } from "../../src/core/payment-links/operations/create-links.ts";
import { deactivatePaymentLink } from "../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { payToken } from "../../src/gateways/payments/sandbox/index.ts";
import { Browser } from "../support/browser.ts";
import {
  type CollectingApp,
  type CollectingBook,
  callOnce,
  openCollectingApp,
  openCollectingBook,
} from "../support/collecting.ts";
import { call } from "../support/lists.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

describe.each(A_STORE)("the sandbox's pay page on $name", ({ open }) => {
  const opened = useStore(open);
  let app: CollectingApp;
  let book: CollectingBook;
  let link: { id: string; url: string };

  beforeAll(async () => {
    app = await openCollectingApp(opened);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    book = await openCollectingBook(app, "sandbox");
    const { invoice, installments } = await book.owingIn({ invoice_number: "INV <7>" }, { original_amount: "1250.5" });
    const asked = { invoice_id: invoice.invoice_id, installment_id: installments[0]?.installment_id };
    link = await callOnce(app.core, createPaymentLink, book.admin, asked);
  });

  const payments = async () => (await call(app.core, listPayments, book.reader, {})).data;
  const post = (path: string) => fetch(`${link.url}${path}`, { method: "POST", redirect: "manual" });

  it("shows what is to be paid, and to whom, to whoever has the address [completions.7.sandbox]", async () => {
    const page = await fetch(link.url);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain("1,250.50 USD");
    expect(text).toContain("INV &lt;7&gt;");
    expect(text).toContain("Acme Ltd");
    expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.headers.get("X-Frame-Options")).toBe("DENY");
    expect(text).not.toContain(book.tenantId);
  });

  it("names invoice, due date, company and whom to ask, then what to keep of the payment [completions.7.pay-page]", async () => {
    const text = async () => (await new Browser(app.url).open(link.url)).text;
    expect(await text()).toMatch(/To Acme Ltd Invoice INV <7> Due 31 Mar 2026 Questions Acme Ltd/);
    const office = { contact: "Ana Ruiz, +1 555 0100", replyTo: "ar@acme.example" };
    await operate(app.core, book.tenantId, setMailSettings, office);
    expect(await text()).toContain("Questions Ana Ruiz, +1 555 0100, ar@acme.example");
    expect(await text()).not.toContain("Reference");
    await post("/pay");
    const [payment] = await payments();
    const shown = /Paid on (\d+ \w+ \d{4}, \d\d:\d\d) Amount 1,250\.50 USD Reference (\S+) Keep this page: Acme Ltd/;
    const [, paidOn, reference] = shown.exec(await text()) ?? [];
    expect(reference).toBe(payment?.provider_reference);
    expect(paidOn).toBe(readableTime(payment?.paid_at ?? "", "UTC"));
  });

  it("takes Pay once, and shows it paid [completions.7.sandbox]", async () => {
    const browser = new Browser(app.url);
    const paid = await browser.submit(await browser.open(link.url), "Pay");
    expect(paid.text).toContain("Paid. Thank you.");
    expect(paid.html).not.toContain(">Pay</button>");
    expect((await post("/pay")).status).toBe(303);
    expect(await payments()).toMatchObject([{ amount: "1250.50", payment_link_id: link.id }]);
  });

  it("takes Decline and takes nothing [completions.7.sandbox]", async () => {
    const browser = new Browser(app.url);
    const declined = await browser.submit(await browser.open(link.url), "Decline");
    expect(declined.text).toContain("Nothing was taken.");
    expect(await payments()).toEqual([]);
    await browser.submit(declined, "Pay");
    expect(await payments()).toHaveLength(1);
  });

  it("takes nothing on a link that was withdrawn [completions.7.sandbox]", async () => {
    await call(app.core, deactivatePaymentLink, book.admin, { payment_link_id: link.id });
    const text = await (await fetch(link.url)).text();
    expect(text).toContain("no longer active. Ask Acme Ltd for another");
    expect(text).not.toContain(">Pay</button>");
    expect((await post("/pay")).status).toBe(303);
    expect(await payments()).toEqual([]);
  });

  it("pays once for many clicks at once [completions.6.once]", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post("/pay")));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 303));
    expect(await payments()).toHaveLength(1);
  });

  it("is there for no address that was not given out [completions.7.sandbox]", async () => {
    const { secrets } = app.core;
    const token = link.url.split("/").at(-1) ?? "";
    const forged = [
      "x",
      token.slice(0, -1),
      `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
      payToken(secrets, { tenantId: book.tenantId, linkId: randomUUID() }),
      payToken(secrets, { tenantId: randomUUID(), linkId: link.id }),
    ];
    for (const one of forged) {
      expect((await fetch(`${app.url}/pay/${one}`)).status, one).toBe(404);
      expect((await fetch(`${app.url}/pay/${one}/pay`, { method: "POST" })).status, one).toBe(404);
    }
    const stripe = await openCollectingBook(app, "stripe");
    const { invoice, installments } = await stripe.owing("10.00");
    const asked = { invoice_id: invoice.invoice_id, installment_id: installments[0]?.installment_id };
    const real = await callOnce(app.core, createPaymentLink, stripe.admin, asked);
    const page = payToken(secrets, { tenantId: stripe.tenantId, linkId: real.id });
    expect((await fetch(`${app.url}/pay/${page}/pay`, { method: "POST" })).status).toBe(404);
    expect(await payments()).toEqual([]);
  });
});
