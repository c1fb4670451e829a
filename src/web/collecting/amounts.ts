import { decimalsTyped } from "../../core/invoices/local-invoice.ts";
import { minorDigits } from "../../core/kernel/currencies.ts";
import { formatMoney, money, toMinor } from "../../core/kernel/money.ts";

/** Of an amount that is missing or none. */
export const GIVE_AN_AMOUNT = "Give an amount above zero, such as 1250.50.";

const PLAIN = /^\d{1,30}(\.\d{1,20})?$/;
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d{1,20})?$/;

/** An amount as somebody typed it, without spaces and the commas of thousands; null for any other text. */
export function typedAmount(text: string) {
  const bare = text.replace(/[\s\u00a0\u202f]/g, "");
  if (PLAIN.test(bare)) return bare;
  return GROUPED.test(bare) ? bare.replaceAll(",", "") : null;
}

/** The same in minor units of a currency, or what is wrong with it. */
export function typedMinor(text: string, currency: string) {
  const amount = typedAmount(text);
  const digits = minorDigits(currency) ?? 0;
  const example = formatMoney(money("1250.50").toDecimalPlaces(digits), currency);
  if (amount === null) return { problem: `Write an amount such as ${example}.` };
  if (decimalsTyped(amount) > digits)
    return { problem: `${currency} has ${digits === 0 ? "no" : digits} decimals: write an amount such as ${example}.` };
  const minor = Number(toMinor(money(amount), currency));
  if (!Number.isSafeInteger(minor)) return { problem: "That is too much for one link." };
  return minor > 0 ? minor : { problem: "It must be more than zero." };
}
