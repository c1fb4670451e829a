import type { Sender } from "../../gateways/mail/letter.ts";
import { type Money, ZERO } from "../kernel/money.ts";
import { capital } from "../kernel/text.ts";
import { type Language, type Locale, languageOf, localDate, localMoney } from "./locale.ts";
import { known, type Message, message } from "./message.ts";
import de from "./words/de.json" with { type: "json" };
import en from "./words/en.json" with { type: "json" };
import es from "./words/es.json" with { type: "json" };
import fr from "./words/fr.json" with { type: "json" };

type Words = typeof en;
const WORDS: Readonly<Record<Language, Words>> = { en, de, fr, es };

/** When a debt is due, seen from the day of the mail; `date` is formatted for the customer's locale. */
type Due = { readonly state: "later" | "today" | "overdue"; readonly date: string } | { readonly state: "open" };

/** A text with the value of each `{name}` in it. */
const fill = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replaceAll(/{(\w+)}/g, (_, name) => String(values[name]));

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
  const words = WORDS[languageOf(email.locale)];
  const { subject, ...body } = others.length === 0 ? oneLink(email, words, first) : severalLinks(email, words);
  const { sender, locale, replyTo, links } = email;
  const takers = Map.groupBy(links, (link) => `${link.provider.name} ${hostOf(link.url)}`);
  const notes = [
    ...[...takers.values()].flatMap(([link, ...more]) =>
      link === undefined
        ? []
        : fill(link.provider.isSandbox ? words.toTestPage : words.toPaymentPage, {
            ...{ leads: more.length === 0 ? words.link : words.links, name: link.provider.name },
            ...{ host: hostOf(link.url), sender: sender.name },
          }),
    ),
    links.length === 1 ? words.alreadyPaid.one : words.alreadyPaid.several,
    questions(email, words),
  ];
  const letter = message(subject, { lang: locale, sender, ...body, notes });
  return replyTo === null ? letter : { ...letter, replyTo };
}

function questions({ sender, contact, replyTo }: PaymentLinkEmail, { questions: texts }: Words) {
  const [withContact, without] = replyTo === null ? [texts.contact, texts.sender] : [texts.replyOrContact, texts.reply];
  const name = contact ?? sender.name;
  // One full stop after a name that ends in one.
  return fill(contact === null ? without : withContact, { contact: name.endsWith(".") ? name : `${name}.` });
}

/** The subject of a mail about one invoice, and its heading. */
function titlesOf(words: Words, number: string | null, { due, ...of }: { sender: string; amount: string; due: Due }) {
  const invoice = number === null ? words.invoice : `${words.invoice} ${number}`;
  const subject = fill(words.subject.one, { ...of, invoice });
  return {
    subject: due.state === "open" ? subject : `${subject}, ${fill(words.due[due.state], due)}`,
    heading: number === null ? words.heading.unnamed : invoice,
  };
}

function askForOne({ askForOne: texts, ourInvoice }: Words, number: string | null, due: Due) {
  const invoice = number === null ? ourInvoice : `${ourInvoice} ${number}`;
  return fill(texts[due.state], { ...due, invoice, Invoice: capital(invoice) });
}

function askForSeveral({ askForSeveral: texts }: Words, links: number, overdue: number) {
  if (overdue === 0) return fill(texts.noneOverdue, { links });
  if (overdue === links) return fill(texts.allOverdue, { links });
  const { which, them } = overdue === 1 ? texts.one : texts.more;
  const others = links - overdue === 1 ? texts.other : texts.others;
  return fill(texts.someOverdue, { which: fill(which, { overdue }), them, others });
}

function oneLink({ locale, sender, customerName, today }: PaymentLinkEmail, words: Words, link: MailedLink) {
  const { invoiceNumber: invoice, invoiceDate, invoiceTotal, amount, currency, dueDate, url } = link;
  const due = dueOf(dueDate, { today, locale });
  const asked = localMoney(amount, currency, locale);
  const total =
    invoiceTotal === null || invoiceTotal.equals(amount) ? null : localMoney(invoiceTotal, currency, locale);
  return {
    ...titlesOf(words, invoice, { sender: sender.name, amount: asked, due }),
    paragraphs: [words.greeting, askForOne(words, invoice, due)],
    facts: known([
      [words.customer, customerName],
      [words.invoice, invoice],
      [words.invoiceDate, invoiceDate === null ? null : localDate(invoiceDate, locale)],
      [words.invoiceTotal, total],
      [words.amountDue, asked],
      due.state === "open" ? ["", null] : [words.dated[due.state], due.date],
    ]),
    action: { label: fill(words.pay, { amount: asked }), url },
  };
}

function severalLinks({ locale, sender, customerName, today, links }: PaymentLinkEmail, words: Words) {
  const totals = new Map<string, Money>();
  for (const { amount, currency } of links) totals.set(currency, (totals.get(currency) ?? ZERO).plus(amount));
  const overdue = links.filter(({ dueDate }) => dueDate !== null && dueDate < today).length;
  const invoices = new Set(links.map(({ invoiceId }) => invoiceId)).size;
  const of = { sender: sender.name, amount: sums(totals, locale).join(" + "), due: { state: "open" } } as const;
  const titles =
    invoices > 1
      ? {
          subject: fill(overdue > 0 ? words.subject.reminder : words.subject.several, {
            invoices,
            sender: sender.name,
          }),
          heading: fill(words.heading.several, { invoices }),
        }
      : titlesOf(words, links[0]?.invoiceNumber ?? null, of);
  return {
    ...titles,
    paragraphs: [words.greeting, askForSeveral(words, links.length, overdue)],
    facts: known([[words.customer, customerName]]),
    items: {
      labels: { title: words.invoice, amount: words.amountDue },
      rows: links.map(({ invoiceNumber, invoiceDate, amount, currency, dueDate, url }) => {
        const due = dueOf(dueDate, { today, locale });
        return {
          title: invoiceNumber ?? "–",
          notes: [
            ...(invoiceDate === null ? [] : [fill(words.datedNote, { date: localDate(invoiceDate, locale) })]),
            ...(due.state === "open" ? [] : [fill(words.dueNote[due.state], due)]),
          ],
          amount: localMoney(amount, currency, locale),
          action: { label: words.payShort, url },
        };
      }),
      totals: sums(totals, locale).map((total) => [words.total, total] as const),
    },
  };
}

/** The sum of each currency; currencies are never added together. */
function sums(totals: ReadonlyMap<string, Money>, locale: Locale) {
  const sorted = [...totals].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([currency, total]) => localMoney(total, currency, locale));
}

function dueOf(date: string | null, { today, locale }: { today: string; locale: Locale }): Due {
  if (date === null) return { state: "open" };
  const state = date < today ? "overdue" : date === today ? "today" : "later";
  return { state, date: localDate(date, locale) };
}

const hostOf = (address: string) => URL.parse(address)?.host ?? "";
