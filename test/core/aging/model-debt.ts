import type { InvoiceRow } from "../../../src/store/tables/invoices.ts";

const DIGITS: Record<string, number> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };
const SCALE = 8;

/** Amounts as integers of 10⁻⁸. */
export function units(amount: string): bigint {
  const [, minus = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  return BigInt(minus + whole + fraction.padEnd(SCALE, "0"));
}

export function written(amount: bigint, currency: string): string {
  const digits = amount.toString().padStart(SCALE + 1, "0");
  const fraction = digits
    .slice(-SCALE)
    .replace(/0+$/, "")
    .padEnd(DIGITS[currency] ?? 0, "0");
  return digits.slice(0, -SCALE) + (fraction === "" ? "" : `.${fraction}`);
}

/** All that stands against a debt in a workspace that no provider is connected to. */
export function reasonsOf(
  { finalised, customer_email: email, currency }: InvoiceRow,
  part: { collection_outstanding: string; disputed?: boolean; excluded?: boolean },
): string[] {
  const least = currency === null ? 1n : 10n ** BigInt(SCALE - (DIGITS[currency] ?? 0));
  return [
    ...(finalised ? [] : ["not_finalised"]),
    ...(part.excluded === true ? ["excluded"] : []),
    ...(part.disputed === true ? ["disputed"] : []),
    ...(units(part.collection_outstanding) < least ? ["nothing_outstanding"] : []),
    ...(email === null ? ["no_billing_email"] : []),
    "currency_not_supported",
  ];
}
