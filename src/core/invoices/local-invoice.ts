import { z } from "zod";
import { minorDigits } from "../kernel/currencies.ts";
import { EmailAddress } from "../kernel/email-address.ts";
import type { ErrorDetail } from "../kernel/error.ts";
import { money, sum, ZERO } from "../kernel/money.ts";
import { lineOf, PlainDate } from "../kernel/wire-types.ts";

const AMOUNT = /^\d{1,30}(\.\d{1,20})?$/;
/** An exact decimal above zero, in major units. */
export const Amount = z.string().refine((text) => AMOUNT.test(text) && money(text).greaterThan(ZERO), {
  error: "must be an exact decimal above zero, with at most 30 digits and 20 decimals",
});

/** Says so to what was found to be doubtful. */
export const AcceptDoubtful = z.boolean().default(false).describe("take a number that the ERP has, or an old due date");

/** The `updated_at` of an invoice as it was shown to who changes it. */
export const Version = z.string().max(40).optional();

/** Installments that an invoice of the service's own can have. */
export const MAX_INSTALLMENTS = 200;

/** What people and operators say of an invoice of the service's own (completions §13). */
export const LocalInvoiceInput = {
  number: lineOf(100).describe("invoice number"),
  currency: z
    .string()
    .refine((code) => minorDigits(code) !== undefined, "must be an ISO 4217 code in capitals")
    .describe("ISO 4217 code"),
  amount: Amount.describe("exact amount, such as 1250.50"),
  invoiceDate: PlainDate.nullable().describe("YYYY-MM-DD"),
  dueDate: PlainDate.nullable().describe("YYYY-MM-DD"),
  customerName: lineOf(360).describe("who is billed"),
  customerEmail: EmailAddress.nullable().describe("billing email"),
  installments: z.array(z.strictObject({ dueDate: PlainDate.nullable(), amount: Amount })).max(MAX_INSTALLMENTS),
};

/** All that is said of an invoice of the service's own. */
export type LocalInvoice = z.output<z.ZodObject<typeof LocalInvoiceInput>>;

/** The amounts of an invoice that is to be made, as they were typed. */
interface GivenAmounts {
  readonly currency: string;
  readonly amount: string;
  readonly installments: readonly { readonly amount: string }[];
}

/** The decimals of an amount as it was typed: `1.000` has three, which some write for a thousand. */
export const decimalsTyped = (amount: string) => amount.split(".")[1]?.length ?? 0;

/**
 * What is wrong with amounts beside their form, which the schema tells: money is in whole minor units (a cent, a yen, a fils), and
 * installments add up.
 */
export function amountFaults({ currency, amount, installments }: GivenAmounts): ErrorDetail[] {
  const digits = minorDigits(currency);
  const all = [
    { field: "amount", given: amount },
    ...installments.map((part, index) => ({ field: `installments[${index}].amount`, given: part.amount })),
  ].filter(({ given }) => AMOUNT.test(given));
  const message = `has more decimals than ${currency} has (${digits})`;
  const finer = all.filter(({ given }) => digits !== undefined && decimalsTyped(given) > digits);
  const faults = finer.map(({ field }): ErrorDetail => ({ field, message, code: "decimals" }));
  if (installments.length === 0 || all.length <= installments.length) return faults;
  const [whole, ...parts] = all.map(({ given }) => money(given));
  if (whole === undefined || sum(parts).equals(whole)) return faults;
  return [...faults, { field: "installments", message: "must add up to the amount" }];
}

/** Due dates that are asked about: more than two years back, or before the invoice date. */
export function doubtfulDates({ invoiceDate, dueDate, installments }: LocalInvoice, today: string) {
  const dates = [dueDate, ...installments.map((part) => part.dueDate)].filter((date) => date !== null);
  // As text: a 29 February of a year that has none is in its place all the same.
  const earliest = `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`;
  return [...new Set(dates)].flatMap((date) => [
    ...(date < earliest ? [`the due date ${date} is more than two years back`] : []),
    ...(invoiceDate !== null && date < invoiceDate ? [`the due date ${date} is before the invoice date`] : []),
  ]);
}
