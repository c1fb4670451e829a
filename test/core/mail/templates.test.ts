import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { message } from "../../../src/core/mail/message.ts";
import { type PaymentLinkEmail, paymentLinkEmail } from "../../../src/core/mail/payment-link-email.ts";
import { taskAssignedMail } from "../../../src/core/mail/task-assigned-mail.ts";
import { money } from "../../../src/core/money.ts";

const EMAIL: PaymentLinkEmail = {
  workspaceName: "Acme Ltd",
  customerName: "Globex",
  invoiceNumber: "INV-7",
  amount: money("1250.5"),
  currency: "USD",
  dueDate: "2026-03-31",
  url: "https://pay.example.test/l/1?a=b&c=d",
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
    const { subject, text, html } = paymentLinkEmail(EMAIL);
    expect(subject).toBe("Acme Ltd: payment of invoice INV-7");
    expect(text).toBe(`Acme Ltd asks you for a payment

Hello Globex,

please pay the following amount.

Invoice: INV-7
Amount: 1250.50 USD
Due date: 2026-03-31

Pay 1250.50 USD:
https://pay.example.test/l/1?a=b&c=d

-- 
Sent on behalf of Acme Ltd. If you have paid already, please disregard this message.
`);
    expect(html).toContain('<a href="https://pay.example.test/l/1?a=b&amp;c=d"');
    for (const part of ["Acme Ltd", "Globex", "INV-7", "1250.50 USD", "2026-03-31"]) expect(html).toContain(part);
  });

  it.each([
    ["1250", "JPY", "1250 JPY"],
    ["1.5", "KWD", "1.500 KWD"],
    ["0.1", "EUR", "0.10 EUR"],
    ["123456789012345678901234.56", "USD", "123456789012345678901234.56 USD"],
  ])("writes %s %s as %s [completions.7.mail-link]", (amount, currency, shown) => {
    const { text, html } = paymentLinkEmail({ ...EMAIL, amount: money(amount), currency });
    expect(text).toContain(`Amount: ${shown}\n`);
    expect(html).toContain(shown);
  });

  it("leaves out what the invoice does not have [completions.7.mail-link]", () => {
    const { subject, text } = paymentLinkEmail({ ...EMAIL, invoiceNumber: null, customerName: null, dueDate: null });
    expect(subject).toBe("Acme Ltd: payment of 1250.50 USD");
    expect(text).toMatch(/\nHello,\n/);
    expect(text).not.toMatch(/Invoice:|Due date:|null/);
  });

  it.each(HOSTILE)("shows %j as the text it is [completions.7.mail-escaped]", (name) => {
    const { subject, text, html } = paymentLinkEmail({
      ...EMAIL,
      workspaceName: name,
      customerName: name,
      invoiceNumber: name,
    });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).not.toMatch(/^Bcc:/m);
    expect(tagsOf(html)).toEqual(tagsOf(paymentLinkEmail(EMAIL).html));
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://pay.example.test/l/1?a=b&amp;c=d"']);
  });

  it("has the same markup whatever the names are [completions.7.mail-escaped]", () => {
    const expected = tagsOf(paymentLinkEmail(EMAIL).html);
    const name = fc.string({ unit: fc.constantFrom(..."<>\"'&/=ab \n\r\t;!-"), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(name, name, name, (workspaceName, customerName, invoiceNumber) => {
        const mail = paymentLinkEmail({ ...EMAIL, workspaceName, customerName, invoiceNumber });
        expect(tagsOf(mail.html)).toEqual(expected);
        expect(mail.subject).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it("links to web addresses alone [completions.7.mail-escaped]", () => {
    for (const url of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"])
      expect(() => paymentLinkEmail({ ...EMAIL, url })).toThrow(RangeError);
  });
});

describe("the mail about a task", () => {
  const TASK = {
    workspaceName: "Acme Ltd",
    invoiceNumber: "INV-7",
    customerName: "Globex",
    outstanding: "1250.5",
    currency: "USD",
    dueDate: "2026-03-31",
    taskId: "00000000-0000-4000-8000-000000000001",
  };

  it("names the invoice, who owes it and how much [completions.7.mail-task]", () => {
    const { subject, text, html } = taskAssignedMail(TASK);
    expect(subject).toBe("Acme Ltd: Invoice INV-7 waits for a payment arrangement");
    for (const part of ["Customer: Globex", "Outstanding: 1250.50 USD", "Earliest due date: 2026-03-31", TASK.taskId])
      expect(text).toContain(part);
    expect(html).toContain("1250.50 USD");
    expect(taskAssignedMail({ ...TASK, invoiceNumber: null, customerName: null, dueDate: null }).text).not.toMatch(
      /null|Customer:|due date:/,
    );
  });

  it.each(HOSTILE)("shows %j as the text it is [completions.7.mail-escaped]", (name) => {
    const mail = taskAssignedMail({ ...TASK, workspaceName: name, customerName: name, invoiceNumber: name });
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
