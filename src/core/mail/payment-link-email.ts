import type { Sender } from "../../gateways/mail/letter.ts";
import { type Money, ZERO } from "../kernel/money.ts";
import { type Language, type Locale, languageOf, localDate, localMoney } from "./locale.ts";
import { known, type Message, message } from "./message.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import type { Due, LinkMailWords, Taker } from "./words/link-mail-words.ts";

const LINK_MAIL_WORDS: Readonly<Record<Language, LinkMailWords>> = { en, de, fr, es };

/** One link in an email to a customer. */
export interface MailedLink {
  readonly invoiceId: string;
  readonly invoiceNumber: string | null;
  /** `YYYY-MM-DD`. */
  readonly invoiceDate: string | null;
  /** The due date of the whole invoice; null if it is unknown. */
  readonly invoiceTotal: Money | null;
  readonly amount: Money;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly url: string;
  /** The payment provider, by the name that customers know. */
  readonly provider: { readonly name: string; readonly isSandbox: boolean };
}

/** The contact for questions. */
export interface Contact {
  /** For example a name and a telephone number. */
  readonly contact: string | null;
  readonly replyTo: string | null;
}

/** The content of a mail about payment links; all of it is the workspace's (completions §4). */
export interface PaymentLinkEmail extends Contact {
  readonly locale: Locale;
  readonly sender: Sender;
  readonly customerName: string | null;
  /** The business day on which it is sent, `YYYY-MM-DD`: debts due earlier are overdue. */
  readonly today: string;
  /** One or more, in the order in which they are listed. */
  readonly links: readonly MailedLink[];
}

/** The mail with a customer's payment links. Throws RangeError for a link that is not a web address. */
export function paymentLinkEmail(email: PaymentLinkEmail): Message {
  const [first, ...others] = email.links;
  if (first === undefined) throw new RangeError("an email without a payment link");
  const words = LINK_MAIL_WORDS[languageOf(email.locale)];
  const { subject, ...body } = others.length === 0 ? oneLink(email, words, first) : severalLinks(email, words);
  const { sender, locale, contact, replyTo, links } = email;
  const takers = Map.groupBy(links, (link) => `${link.provider.name} ${hostOf(link.url)}`);
  const notes = [
    ...[...takers.values()].flatMap(([link, ...more]) =>
      link === undefined ? [] : words.aboutLink(takerOf(link), sender.name, 1 + more.length),
    ),
    words.alreadyPaid(links.length),
    words.questions({ contact, replies: replyTo !== null, sender: sender.name }),
  ];
  const letter = message(subject, { lang: locale, sender, ...body, notes });
  return replyTo === null ? letter : { ...letter, replyTo };
}

function oneLink({ locale, sender, customerName, today }: PaymentLinkEmail, words: LinkMailWords, link: MailedLink) {
  const { invoiceNumber: invoice, invoiceDate, invoiceTotal, amount, currency, dueDate, url } = link;
  const due = dueOf(dueDate, { today, locale });
  const asked = localMoney(amount, currency, locale);
  const total =
    invoiceTotal === null || invoiceTotal.equals(amount) ? null : localMoney(invoiceTotal, currency, locale);
  const dueLabel = { later: words.dueOn, today: words.dueToday, overdue: words.overdueSince, open: "" }[due.state];
  return {
    subject: words.subjectOfOne({ invoice, sender: sender.name, amount: asked, due }),
    heading: words.headingOfOne(invoice),
    paragraphs: [words.greeting, words.askForOne(invoice, due)],
    facts: known([
      [words.customer, customerName],
      [words.invoice, invoice],
      [words.invoiceDate, invoiceDate === null ? null : localDate(invoiceDate, locale)],
      [words.invoiceTotal, total],
      [words.amountDue, asked],
      [dueLabel, due.state === "open" ? null : due.date],
    ]),
    action: { label: words.pay(asked), url },
  };
}

function severalLinks({ locale, sender, customerName, today, links }: PaymentLinkEmail, words: LinkMailWords) {
  const totals = new Map<string, Money>();
  for (const { amount, currency } of links) totals.set(currency, (totals.get(currency) ?? ZERO).plus(amount));
  const overdue = links.filter(({ dueDate }) => dueDate !== null && dueDate < today).length;
  const invoices = new Set(links.map(({ invoiceId }) => invoiceId)).size;
  const invoice = links[0]?.invoiceNumber ?? null;
  const subject =
    invoices > 1
      ? words.subjectOfSeveral({ invoices, sender: sender.name, isOverdue: overdue > 0 })
      : words.subjectOfOne({
          invoice,
          sender: sender.name,
          amount: sums(totals, locale).join(" + "),
          due: { state: "open" },
        });
  return {
    subject,
    heading: invoices > 1 ? words.headingOfSeveral(invoices) : words.headingOfOne(invoice),
    paragraphs: [words.greeting, words.askForSeveral({ links: links.length, overdue })],
    facts: known([[words.customer, customerName]]),
    items: {
      labels: { title: words.invoice, amount: words.amountDue },
      rows: links.map(({ invoiceNumber, invoiceDate, amount, currency, dueDate, url }) => ({
        title: invoiceNumber ?? "–",
        notes: [
          invoiceDate === null ? null : words.datedNote(localDate(invoiceDate, locale)),
          words.dueNote(dueOf(dueDate, { today, locale })),
        ].filter((note) => note !== null),
        amount: localMoney(amount, currency, locale),
        action: { label: words.payShort, url },
      })),
      totals: sums(totals, locale).map((total) => [words.total, total] as const),
    },
  };
}

/** The sum of each currency; currencies are never added together. */
function sums(totals: ReadonlyMap<string, Money>, locale: Locale): string[] {
  const sorted = [...totals].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([currency, total]) => localMoney(total, currency, locale));
}

function dueOf(date: string | null, { today, locale }: { today: string; locale: Locale }): Due {
  if (date === null) return { state: "open" };
  const state = date < today ? "overdue" : date === today ? "today" : "later";
  return { state, date: localDate(date, locale) };
}

function takerOf({ provider, url }: MailedLink): Taker {
  return { ...provider, host: hostOf(url) };
}

const hostOf = (address: string): string => URL.parse(address)?.host ?? "";
