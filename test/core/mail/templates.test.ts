import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { money } from "../../../src/core/kernel/money.ts";
import { type Message, message } from "../../../src/core/mail/message.ts";
import { type MailedLink, type PaymentLinkEmail, paymentLinkEmail } from "../../../src/core/mail/payment-link-email.ts";
import { HOSTILE, tagsOf } from "./support.ts";

const LINK: MailedLink = {
  invoiceId: "00000000-0000-4000-8000-000000000007",
  invoiceNumber: "INV-7",
  invoiceDate: "2026-03-01",
  invoiceTotal: money("1250.50"),
  amount: money("1250.5"),
  currency: "USD",
  dueDate: "2026-03-31",
  url: "https://pay.example.test/l/1?a=b&c=d",
  provider: { name: "Stripe", isSandbox: false },
};
const EMAIL: Omit<PaymentLinkEmail, "links"> = {
  locale: "en-GB",
  sender: { name: "Acme Ltd", foot: ["1 High Street", "London"] },
  contact: null,
  replyTo: null,
  customerName: "Globex",
  today: "2026-03-20",
};
const named = (name: string): Partial<PaymentLinkEmail> => ({
  sender: { name, foot: [name] },
  customerName: name,
  contact: name,
});

/** The email with one link, and with several. */
const withLink = (link: Partial<MailedLink> = {}, email: Partial<PaymentLinkEmail> = {}): Message =>
  paymentLinkEmail({ ...EMAIL, links: [{ ...LINK, ...link }], ...email });
const withLinks = (count: number, link: Partial<MailedLink> = {}, email: Partial<PaymentLinkEmail> = {}): Message => {
  const links = Array.from({ length: count }, (_, index) => ({
    ...LINK,
    invoiceId: `invoice ${index}`,
    invoiceNumber: `INV-${index}`,
    url: `https://pay.example.test/l/${index}`,
    ...link,
  }));
  return paymentLinkEmail({ ...EMAIL, links, ...email });
};

describe("the email with a payment link", () => {
  it("names workspace, amount with its currency, due date and link, in both parts [completions.7.mail-link]", () => {
    const { subject, text, html } = withLink();
    expect(subject).toBe("Invoice INV-7 from Acme Ltd: US$1,250.50, due on 31 March 2026");
    for (const part of [
      "Customer: Globex",
      "Invoice date: 1 March 2026",
      "Pay US$1,250.50:\n",
      LINK.url,
      "-- \nAcme Ltd\n",
    ])
      expect(text).toContain(part);
    expect(html).toContain('<a href="https://pay.example.test/l/1?a=b&amp;c=d"');
    for (const part of ["Acme Ltd", "Globex", "INV-7", "US$1,250.50", "31 March 2026"]) expect(html).toContain(part);
  });

  it("says whom to ask, and where answers go [completions.7.mail-contact]", () => {
    const contact = "Ana Ruiz, +44 20 7946 0000";
    expect(withLink({}, { contact }).text).toContain(`Please contact ${contact}.`);
    const answered = withLink({}, { contact, replyTo: "ar@acme.example" });
    expect(answered.text).toContain(`Reply to this email or contact ${contact}.`);
    expect(answered.replyTo).toBe("ar@acme.example");
    expect(withLink().replyTo).toBeUndefined();
  });

  it("says that a link is a part of its invoice, and that a sandbox moves no money [completions.7.mail-link]", () => {
    expect(withLink({ invoiceTotal: money("5000") }).text).toContain(
      "\nInvoice total: US$5,000.00\nAmount due: US$1,250.50\n",
    );
    expect(withLink().text).not.toContain("Invoice total");
    expect(withLink({ provider: { name: "Sandbox", isSandbox: true } }).text).toContain("No money moves there.");
  });

  it.each([
    ["1250", "JPY", "JP¥1,250"],
    ["999.99", "EUR", "€999.99"],
    ["1.5", "KWD", "KWD 1.500"],
    ["0.1", "EUR", "€0.10"],
    ["123456789012345678901234.56", "USD", "US$123,456,789,012,345,678,901,234.56"],
  ])("writes %s %s as %s [completions.7.mail-link]", (amount, currency, shown) => {
    const { text, html } = withLink({ amount: money(amount), currency });
    expect(text).toContain(`Amount due: ${shown}\n`);
    expect(html).toContain(shown);
  });

  it("leaves out what the invoice does not have [completions.7.mail-link]", () => {
    const { subject, text } = withLink({ invoiceNumber: null, dueDate: null }, { customerName: null });
    expect(subject).toBe("Invoice from Acme Ltd: US$1,250.50");
    expect(text).not.toMatch(/Invoice:|Due on:|Customer:|null/);
  });

  it.each(HOSTILE)("shows %j as the text it is [completions.7.mail-escaped]", (name) => {
    const { subject, text, html } = withLink({ invoiceNumber: name }, named(name));
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).not.toMatch(/^Bcc:/m);
    expect(tagsOf(html)).toEqual(tagsOf(withLink({}, named("x")).html));
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://pay.example.test/l/1?a=b&amp;c=d"']);
  });

  it("has the same markup whatever the names are [completions.7.mail-escaped]", () => {
    const expected = tagsOf(withLink({}, named("x")).html);
    const expectedOfSeveral = tagsOf(withLinks(3, {}, named("x")).html);
    const name = fc.string({ unit: fc.constantFrom(..."<>\"'&/=ab \n\r\t;!-"), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(name, name, (ofPeople, invoiceNumber) => {
        const mail = withLink({ invoiceNumber }, named(`x${ofPeople}`));
        expect(tagsOf(mail.html)).toEqual(expected);
        const several = withLinks(3, { invoiceNumber }, named(`x${ofPeople}`));
        expect(tagsOf(several.html)).toEqual(expectedOfSeveral);
        expect(mail.subject).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it("links to web addresses alone [completions.7.mail-escaped]", () => {
    for (const url of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"])
      for (const make of [withLink, (link: Partial<MailedLink>) => withLinks(2, link)])
        expect(() => make({ url })).toThrow(RangeError);
  });

  it("lists every link of a customer, and totals by currency that are never added together [completions.7.one-message]", () => {
    const second = {
      ...LINK,
      invoiceId: "other",
      invoiceNumber: null,
      dueDate: null,
      url: "https://pay.example.test/l/2",
    };
    const third = { ...LINK, amount: money("0.50"), url: "https://pay.example.test/l/3" };
    const links = [LINK, { ...second, amount: money("99"), currency: "EUR" }, third];
    const { subject, text, html } = withLink({}, { links });
    expect(subject).toBe("2 invoices from Acme Ltd");
    expect(text).toContain("Total: €99.00\nTotal: US$1,251.00\n");
    expect(html.match(/href="[^"]*"/g)).toEqual([
      'href="https://pay.example.test/l/1?a=b&amp;c=d"',
      'href="https://pay.example.test/l/2"',
      'href="https://pay.example.test/l/3"',
    ]);
    for (const part of ["€99.00", "US$1,251.00", "INV-7"]) expect(html).toContain(part);
    expect(withLink({}, { links: [LINK, third] }).subject).toBe("Invoice INV-7 from Acme Ltd: US$1,251.00");
    expect(withLinks(40).html.match(/<a /g)).toHaveLength(40);
  });
});

describe("a message", () => {
  it("has a subject of one line, and not of any length", () => {
    const { subject } = message(`a\nb ${"é🙂".repeat(400)}`, {
      lang: "en",
      sender: EMAIL.sender,
      heading: "h",
      paragraphs: [],
    });
    expect(subject).toMatch(/^a b é/);
    expect(Array.from(subject)).toHaveLength(200);
    expect(subject.isWellFormed()).toBe(true);
  });
});
