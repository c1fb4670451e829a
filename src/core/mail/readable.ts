import { localParts } from "../kernel/calendar.ts";
import { formatMoney, fromMinor, type Money, money } from "../kernel/money.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** An amount as shown in a mail, on a page or at the terminal: `1,250.50 USD`. */
export function readableMoney(amount: Money | string, currency: string) {
  const exact = typeof amount === "string" ? money(amount) : amount;
  const [whole = "", fraction] = formatMoney(exact, currency).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${grouped}${fraction === undefined ? "" : `.${fraction}`} ${currency}`;
}

/** The same for an amount in minor units, which are shown as they are if the currency is unknown. */
export function readableMinor(minor: bigint, currency: string) {
  const amount = fromMinor(minor, currency);
  return amount === undefined ? `${minor} ${currency}` : readableMoney(amount, currency);
}

/** A plain date for people: `22 Nov 2026`. */
export function readableDate(date: string) {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
}

/** An instant as people of a time zone write it: `22 Nov 2026, 14:05`. */
export function readableTime(instant: string, timeZone: string) {
  const [date, time] = localParts(new Date(instant), timeZone);
  return `${readableDate(date)}, ${time}`;
}
