import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Message, message } from "../../../src/core/mail/message.ts";
import { type MailedLink, type PaymentLinkEmail, paymentLinkEmail } from "../../../src/core/mail/payment-link-email.ts";
import { money } from "../../../src/core/shared/money.ts";
import { taskAssignedMail } from "../../../src/core/tasks/task-mail.ts";

const LINK: MailedLink = {
  invoiceId: "00000000-0000-4000-8000-000000000007",
  invoiceNumber: "INV-7",
  amount: money("1250.5"),
  currency: "USD",
  dueDate: "2026-03-31",
  url: "https://pay.example.test/l/1?a=b&c=d",
};

/** The email with one link, and with several. */
const withLink = (link: Partial<MailedLink> = {}, email: Partial<PaymentLinkEmail> = {}): Message =>
  paymentLinkEmail({ workspaceName: "Acme Ltd", customerName: "Globex", links: [{ ...LINK, ...link }], ...email });
const withLinks = (count: number, link: Partial<MailedLink> = {}, email: Partial<PaymentLinkEmail> = {}): Message => {
  const links = Array.from({ length: count }, (_, index) => ({
    ...LINK,
    invoiceId: `invoice ${index}`,
    invoiceNumber: `INV-${index}`,
    url: `https://pay.example.test/l/${index}`,
    ...link,
  }));
  return paymentLinkEmail({ workspaceName: "Acme Ltd", customerName: "Globex", links, ...email });
};

const HOSTILE = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  `Eve\r\nBcc: victim@example.test`,
  `</title></td></table><a href="https://evil.example.test">Pay here</a>`,
  `\${alert(1)} {{7*7}} %s &lt;b&gt;`,
];

describe("the email with a payment link", () => {
  it("names workspace, amount with its currency, due date and link, in both parts [completions.7.mail-link]", () => {
    const { subject, text, html } = withLink();
    expect(subject).toBe("Acme Ltd: payment of invoice INV-7");
    expect(text).toBe(`Payment request from Acme Ltd

Hello Globex,

Please pay the following amount.

Invoice: INV-7
Amount: 1,250.50 USD
Due date: 31 Mar 2026

Pay 1,250.50 USD:
https://pay.example.test/l/1?a=b&c=d

-- 
Sent on behalf of Acme Ltd. If you have paid already, please disregard this message.
`);
    expect(html).toContain('<a href="https://pay.example.test/l/1?a=b&amp;c=d"');
    for (const part of ["Acme Ltd", "Globex", "INV-7", "1,250.50 USD", "31 Mar 2026"]) expect(html).toContain(part);
  });

  it.each([
    ["1250", "JPY", "1,250 JPY"],
    ["999.99", "EUR", "999.99 EUR"],
    ["1.5", "KWD", "1.500 KWD"],
    ["0.1", "EUR", "0.10 EUR"],
    ["123456789012345678901234.56", "USD", "123,456,789,012,345,678,901,234.56 USD"],
  ])("writes %s %s as %s [completions.7.mail-link]", (amount, currency, shown) => {
    const { text, html } = withLink({ amount: money(amount), currency });
    expect(text).toContain(`Amount: ${shown}\n`);
    expect(html).toContain(shown);
  });

  it("leaves out what the invoice does not have [completions.7.mail-link]", () => {
    const { subject, text } = withLink({ invoiceNumber: null, dueDate: null }, { customerName: null });
    expect(subject).toBe("Acme Ltd: payment of 1,250.50 USD");
    expect(text).toMatch(/\nHello,\n/);
    expect(text).not.toMatch(/Invoice:|Due date:|null/);
  });

  it.each(HOSTILE)("shows %j as the text it is [completions.7.mail-escaped]", (name) => {
    const { subject, text, html } = withLink({ invoiceNumber: name }, { workspaceName: name, customerName: name });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).not.toMatch(/^Bcc:/m);
    expect(tagsOf(html)).toEqual(tagsOf(withLink().html));
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://pay.example.test/l/1?a=b&amp;c=d"']);
  });

  it("has the same markup whatever the names are [completions.7.mail-escaped]", () => {
    const expected = tagsOf(withLink().html);
    const expectedOfSeveral = tagsOf(withLinks(3).html);
    const name = fc.string({ unit: fc.constantFrom(..."<>\"'&/=ab \n\r\t;!-"), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(name, name, name, (workspaceName, customerName, invoiceNumber) => {
        const mail = withLink({ invoiceNumber }, { workspaceName, customerName });
        expect(tagsOf(mail.html)).toEqual(expected);
        const several = withLinks(3, { invoiceNumber }, { workspaceName, customerName });
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
    expect(subject).toBe("Acme Ltd: payment of 2 invoices");
    expect(text).toBe(`Payment request from Acme Ltd

Hello Globex,

Please pay the following 3 amounts. Each has its own payment link.

Invoice: INV-7
Due date: 31 Mar 2026
Amount: 1,250.50 USD
Pay: https://pay.example.test/l/1?a=b&c=d

Invoice: –
Amount: 99.00 EUR
Pay: https://pay.example.test/l/2

Invoice: INV-7
Due date: 31 Mar 2026
Amount: 0.50 USD
Pay: https://pay.example.test/l/3

Total: 99.00 EUR
Total: 1,251.00 USD

-- 
Sent on behalf of Acme Ltd. If you have paid already, please disregard this message.
`);
    expect(html.match(/href="[^"]*"/g)).toEqual([
      'href="https://pay.example.test/l/1?a=b&amp;c=d"',
      'href="https://pay.example.test/l/2"',
      'href="https://pay.example.test/l/3"',
    ]);
    for (const part of ["99.00 EUR", "1,251.00 USD", "INV-7"]) expect(html).toContain(part);
    expect(withLink({}, { links: [LINK, third] }).subject).toBe("Acme Ltd: payment of invoice INV-7");
    expect(withLinks(40).html.match(/<a /g)).toHaveLength(40);
  });
});

describe("the mail about a task", () => {
  const TASK = {
    workspace_name: "Acme Ltd",
    invoice_number: "INV-7",
    customer_name: "Globex",
    collection_outstanding: "1250.5",
    currency: "USD",
    collection_due_date: "2026-03-31",
    task_id: "00000000-0000-4000-8000-000000000001",
  };

  it("names the invoice, who owes it and how much [completions.7.mail-task]", () => {
    const { subject, text, html } = taskAssignedMail(TASK);
    expect(subject).toBe("Acme Ltd: Invoice INV-7 waits for a payment arrangement");
    for (const part of ["Customer: Globex", "Outstanding: 1250.50 USD", "Earliest due date: 2026-03-31", TASK.task_id])
      expect(text).toContain(part);
    expect(html).toContain("1250.50 USD");
    expect(
      taskAssignedMail({ ...TASK, invoice_number: null, customer_name: null, collection_due_date: null }).text,
    ).not.toMatch(/null|Customer:|due date:/);
  });

  it.each(HOSTILE)("shows %j as the text it is [completions.7.mail-escaped]", (name) => {
    const mail = taskAssignedMail({ ...TASK, workspace_name: name, customer_name: name, invoice_number: name });
    expect(tagsOf(mail.html)).toEqual(tagsOf(taskAssignedMail(TASK).html));
    expect(mail.subject).not.toMatch(/[\r\n]/);
  });
});

describe("a message", () => {
  it("has a subject of one line, and not of any length", () => {
    const { subject } = message(`a\nb ${"é🙂".repeat(400)}`, { heading: "h", paragraphs: [], closing: "c" });
    expect(subject).toMatch(/^a b é/);
    expect(Array.from(subject)).toHaveLength(200);
    expect(subject.isWellFormed()).toBe(true);
  });
});

/** The tags of a document, in order. */
function tagsOf(html: string): string[] {
  return [...html.matchAll(/<(\/?[a-z!][a-z0-9]*)/gi)].map((match) => match[1] ?? "");
}
