import { addDays } from "../kernel/calendar.ts";
import { minorDigits } from "../kernel/currencies.ts";
import { money } from "../kernel/money.ts";
import type { Letterhead } from "./customer-mail.ts";
import type { Locale } from "./locale.ts";
import type { Message } from "./message.ts";
import { type MailedLink, paymentLinkEmail } from "./payment-link-email.ts";

/** The mails to customers, by their purpose. */
export const SAMPLE_KINDS = ["due", "overdue", "several"] as const;
export type SampleKind = (typeof SAMPLE_KINDS)[number];

const CUSTOMER = "Harbour Foods Ltd";
/** In the place of a link that is not made yet. */
export const SAMPLE_URL = "https://pay.example.com/your-link";

/** A mail to a fictitious customer as a workspace would send it on the business day `today`. */
export function sampleMail(
  kind: SampleKind,
  { letterhead, locale, today, currency }: { letterhead: Letterhead; locale: Locale; today: string; currency: string },
): Message {
  const link = sampleLink(today, currency);
  const due = link("INV-20417", "1250.50", { dueIn: 14, total: "1250.50" });
  const overdue = link("INV-20388", "840.00", { dueIn: -12, total: "2520.00" });
  const links = { due: [due], overdue: [overdue], several: [overdue, link("INV-20395", "96.30", { dueIn: 0 }), due] };
  const { sender, contact, replyTo, pictures } = letterhead;
  const mail = { locale, sender, contact, replyTo, customerName: CUSTOMER, today, links: links[kind] };
  return { ...paymentLinkEmail(mail), pictures };
}

function sampleLink(today: string, currency: string) {
  const exact = (amount: string) => money(money(amount).toFixed(minorDigits(currency) ?? 2));
  return (
    number: string,
    amount: string,
    { dueIn, total = amount }: { dueIn: number; total?: string },
  ): MailedLink => ({
    invoiceId: number,
    invoiceNumber: number,
    invoiceDate: addDays(today, dueIn - 30),
    invoiceTotal: exact(total),
    amount: exact(amount),
    currency,
    dueDate: addDays(today, dueIn),
    url: SAMPLE_URL,
    provider: { name: "Stripe", isSandbox: false },
  });
}
