import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { money } from "../../../src/core/kernel/money.ts";
import { LOCALES, type Locale, languageOf, localDate, localeOf, localMoney } from "../../../src/core/mail/locale.ts";
import { type MailedLink, type PaymentLinkEmail, paymentLinkEmail } from "../../../src/core/mail/payment-link-email.ts";
import { taskAssignedMail } from "../../../src/core/tasks/task-mail.ts";
import { HOSTILE, tagsOf } from "./support.ts";

const TODAY = "2026-11-24";
const DUE = { later: "2026-12-08", today: TODAY, overdue: "2026-11-01", long_overdue: "2026-09-30", undated: null };
type When = keyof typeof DUE;

/** The mails of a day, by when their debts are due. */
const MAILS: readonly (readonly When[])[] = [
  ["later"],
  ["today"],
  ["overdue"],
  ["undated"],
  ["later", "today"],
  ["overdue", "later", "undated"],
  ["overdue", "long_overdue", "today"],
  ["overdue", "long_overdue"],
];

/** Whom customers are told to ask. */
const CONTACTS: readonly Pick<PaymentLinkEmail, "contact" | "replyTo">[] = [
  { contact: "Ana Ruiz, +41 44 000 00 00", replyTo: "ar@contoso.example" },
  { contact: "Contoso Inc.", replyTo: null },
  { contact: null, replyTo: "ar@contoso.example" },
  { contact: null, replyTo: null },
];

function mailOf(dues: readonly When[], locale: Locale, { isSandbox = false, index = 0 } = {}) {
  const links = dues.map(
    (due, at): MailedLink => ({
      invoiceId: `${at}`,
      invoiceNumber: due === "undated" ? null : `INV-${20_400 + at}`,
      invoiceDate: "2026-09-01",
      invoiceTotal: money(at === 0 ? "2520" : "1250.5"),
      amount: money("1250.5"),
      currency: at === 2 ? "USD" : "EUR",
      dueDate: DUE[due],
      url: `https://pay.example.com/${at}`,
      provider: { name: "Stripe", isSandbox },
    }),
  );
  const sender = { name: "Contoso Inc.", foot: ["1 High Street", "London"] };
  const contact = CONTACTS[index % CONTACTS.length] ?? { contact: null, replyTo: null };
  return paymentLinkEmail({ locale, sender, ...contact, customerName: "Harbour Foods", today: TODAY, links });
}

const LANGUAGES = LOCALES.filter((locale, at) => languageOf(locale) !== languageOf(LOCALES[at - 1] ?? "es-MX"));
const REGIONS = LOCALES.filter((locale) => !LANGUAGES.includes(locale));

const lettersIn = (locale: Locale, mails = MAILS): string =>
  mails
    .map((dues, index) => {
      const { subject, text } = mailOf(dues, locale, { isSandbox: index === 4, index });
      return `### ${dues.join(", ")}\nSubject: ${subject}\n\n${text}`;
    })
    .join("\n");

const fileOf = (name: string): string => join(import.meta.dirname, "letters", `${name}.txt`);

describe("mails with payment links", () => {
  it.each(LANGUAGES)(
    "say in every case what a person would write, in %s [completions.7.mail-languages] [completions.7.mail-due-words]",
    (locale) => expect(lettersIn(locale)).toMatchFileSnapshot(fileOf(locale)),
  );

  it("write amounts and dates as other regions do [completions.7.mail-languages]", () =>
    expect(
      REGIONS.map((locale) => `# ${locale}\n${lettersIn(locale, MAILS.slice(0, 1))}`).join("\n"),
    ).toMatchFileSnapshot(fileOf("regions")));
});

describe.each(LOCALES)("mails with payment links in %s", (locale) => {
  it("have no word missing, and one full stop after a name that ends in one [completions.7.mail-languages]", () => {
    for (const [index, dues] of MAILS.entries())
      for (const isSandbox of [false, true]) {
        const { subject, text, html } = mailOf(dues, locale, { isSandbox, index });
        const shown = html.replace(/<style[\s\S]*?<\/style>/, "").replace(/<[^>]+>/g, " ");
        for (const part of [subject, text, shown]) expect(part).not.toMatch(/undefined|null|NaN|\[object|\.\.|,\s*,/);
      }
  });
});

describe("the mail about a task", () => {
  const URL_OF_TASK = "https://receivables.example.test/tasks/00000000-0000-4000-8000-000000000001";
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
    const { subject, text, html } = taskAssignedMail(TASK, URL_OF_TASK).compose();
    expect(subject).toBe("Acme Ltd: Invoice INV-7 needs a payment arrangement");
    for (const part of ["Customer: Globex", "Outstanding: 1,250.50 USD", "Earliest due date: 31 Mar 2026", URL_OF_TASK])
      expect(text).toContain(part);
    expect(html).toContain("1,250.50 USD");
    expect(html).toContain(`<a href="${URL_OF_TASK}"`);
    expect(
      taskAssignedMail(
        { ...TASK, invoice_number: null, customer_name: null, collection_due_date: null },
        URL_OF_TASK,
      ).compose().text,
    ).not.toMatch(/null|Customer:|due date:/);
  });

  it.each(HOSTILE)("shows %j as the text it is [completions.7.mail-escaped]", (name) => {
    const mail = taskAssignedMail(
      { ...TASK, workspace_name: name, customer_name: name, invoice_number: name },
      URL_OF_TASK,
    ).compose();
    expect(tagsOf(mail.html)).toEqual(tagsOf(taskAssignedMail(TASK, URL_OF_TASK).compose().html));
    expect(mail.subject).not.toMatch(/[\r\n]/);
  });
});

it("English is written as the timezone's country does [completions.7.mail-country]", () => {
  const written = (timezone: string) => {
    const locale = localeOf(null, timezone);
    return `${localMoney(money("8534.38"), "USD", locale)}, ${localDate("2026-08-10", locale)}`;
  };
  const zones = ["America/New_York", "America/Indiana/Knox", "US/Central", "Pacific/Honolulu", "America/Phoenix"];
  for (const zone of zones) expect(written(zone), zone).toBe("$8,534.38, August 10, 2026");
  for (const zone of ["Europe/London", "America/Toronto", "America/Mexico_City", "Asia/Tokyo", "UTC"])
    expect(written(zone), zone).toBe("US$8,534.38, 10 August 2026");
  expect(localeOf("de-CH", "America/New_York")).toBe("de-CH");
});
