import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { money } from "../../../src/core/kernel/money.ts";
import { LOCALES, type Locale, languageOf } from "../../../src/core/mail/locale.ts";
import { type MailedLink, type PaymentLinkEmail, paymentLinkEmail } from "../../../src/core/mail/payment-link-email.ts";

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
