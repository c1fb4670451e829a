import { Decimal } from "decimal.js";
import { z } from "zod";
import { plainLine } from "../../quotable.ts";
import { ErpError, VALUE_PROBLEMS, type ValueFault, type ValueProblem } from "../gateway.ts";
import { notTheErp, unusable } from "./errors.ts";

// Room enough for any sum of amounts within the bounds below: decimal.js rounds to its precision when it adds.
const Exact = Decimal.clone({ precision: 200 });

/** What is plain already, and within the bounds below. */
const PLAIN = /^(?:0|-?(?:[1-9]\d{0,29}(?:\.\d{0,19}[1-9])?|0\.\d{0,19}[1-9]))$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const MAX_LENGTH = 80;
const MAX_WHOLE_DIGITS = 30;
const MAX_FRACTION_DIGITS = 20;

/** A JSON number (`1250.50`, `1E+2`) as a plain decimal (`1250.5`, `100`); undefined if longer than any amount. */
export function plainDecimal(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  if (text.length > MAX_LENGTH || !NUMBER.test(text)) return undefined;
  const value = new Exact(text);
  if (value.isZero()) return "0";
  if (value.decimalPlaces() > MAX_FRACTION_DIGITS || value.e >= MAX_WHOLE_DIGITS) return undefined;
  return value.toFixed();
}

/** The exact sum of plain decimals. */
export function sumOf(amounts: readonly string[]): string {
  if (amounts.length === 1 && amounts[0] !== undefined) return amounts[0];
  const sum = amounts.reduce((total, amount) => total.plus(amount), new Exact(0));
  return sum.isZero() ? "0" : sum.toFixed();
}

/** The greatest of Fusion's ids: they are whole numbers of 64 bits. */
const GREATEST_ID = "9223372036854775807";

const isId = (digits: string): boolean =>
  /^(?:0|[1-9]\d{0,18})$/.test(digits) && (digits.length < GREATEST_ID.length || digits <= GREATEST_ID);

/** An attribute, read in one step: each step of a zod pipe leaves garbage, and a page has tens of thousands. */
function attribute<T>(read: (value: unknown) => T | undefined, problem: (value: unknown) => ValueProblem) {
  return z.transform((value: unknown, context): T => {
    const found = read(value);
    if (found !== undefined) return found;
    context.issues.push({ code: "custom", message: problem(value), input: value });
    return z.NEVER;
  });
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Text that Oracle may leave out, or null. */
function optional<T>(problem: ValueProblem, read: (text: string) => T | null | undefined) {
  const readAny = (value: unknown): T | null | undefined => {
    if (isAbsent(value)) return null;
    return typeof value === "string" ? read(value) : undefined;
  };
  return attribute(readAny, () => problem);
}

/** A Fusion id, as text. */
export const FusionId = attribute(
  (value) => (typeof value === "string" && isId(value) ? value : undefined),
  (value) => (isAbsent(value) ? "missing" : "not_an_id"),
);

/** An optional {@link FusionId}; absent and null are the same. */
const optionalId = optional("not_an_id", (digits) => (isId(digits) ? digits : undefined));

/** An amount as a plain decimal (number or string: Oracle sends both), or null. */
const amount = optional("not_a_number", (value) => (value === "" ? null : plainDecimal(value)));

/** A calendar day or null; of a date-time, its day. */
const date = optional("not_a_date", (value) => {
  if (value === "") return null;
  const day = /^[^T]*T\d\d:/.test(value) ? value.slice(0, value.indexOf("T")) : value;
  return z.regexes.date.test(day) ? day : undefined;
});

/** A small whole number or null. */
const ordinal = optional("not_a_whole_number", (value) => (/^-?\d{1,9}$/.test(value) ? Number(value) : undefined));

/** Text, or null when missing or empty; without NUL and broken surrogates, which no database takes. */
export const text = (maxLength: number) =>
  optional("not_text", (value) => {
    const clean = shortened(value.replaceAll("\0", ""), maxLength).toWellFormed().trim();
    return clean === "" ? null : clean;
  });

/** A yes/no that Oracle writes as text. */
const flag = attribute(
  (value) => {
    if (isAbsent(value) || typeof value === "boolean") return value === true;
    return typeof value === "string" ? ["y", "yes", "true"].includes(value.trim().toLowerCase()) : undefined;
  },
  () => "not_a_flag",
);

/** Cut between characters, never inside one. */
function shortened(value: string, maxLength: number): string {
  if (value.length <= maxLength) return value;
  const cut = value.slice(0, maxLength);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A collection of any resource; its items are read one by one, so that an error can name the one. */
export const Collection = z.object({
  items: z.array(z.unknown()),
  hasMore: z.boolean().optional(),
});

/** `receivablesInvoiceInstallments`, the attributes the service reads. */
export const FusionInstallment = z.object({
  InstallmentId: FusionId,
  InstallmentSequenceNumber: ordinal,
  InstallmentDueDate: date,
  OriginalAmount: amount,
  /** In the invoice's currency; AccountedBalanceDue is in the ledger's. */
  InstallmentBalanceDue: amount,
  InstallmentStatus: text(30),
  InstallmentClosedDate: date,
  DisputeAmount: amount,
  ExcludeFromCollections: flag,
});
export type FusionInstallment = z.output<typeof FusionInstallment>;

/** `receivablesInvoices`, likewise. The children come as a collection, before framework version 3 as a bare array. */
export const FusionInvoice = z.object({
  CustomerTransactionId: FusionId,
  TransactionNumber: text(100),
  TransactionDate: date,
  DueDate: date,
  InvoiceCurrencyCode: text(15),
  EnteredAmount: amount,
  InvoiceBalanceAmount: amount,
  /** Set where the invoice is not in the ledger's currency; text, for it has more digits than any amount. */
  ConversionRate: text(80),
  InvoiceStatus: text(30),
  PaymentTerms: text(100),
  BusinessUnit: text(240),
  BillToPartyId: optionalId,
  BillToCustomerNumber: text(100),
  BillToCustomerName: text(360),
  BillToSite: text(150),
  receivablesInvoiceInstallments: z
    .union([Collection, z.array(z.unknown())], "not_a_collection" satisfies ValueProblem)
    .nullish(),
});
export type FusionInvoice = z.output<typeof FusionInvoice>;

/** `accounts` of the CRM base path, likewise. */
export const Account = z.object({
  PartyId: FusionId,
  // What is no text counts as none: one account's value is no reason to read no book.
  PrimaryContactName: text(360).catch(null),
  PrimaryContactEmail: text(320).catch(null),
});

/** `standardReceipts`, likewise. An amount is a string in the answer to its creation, a number elsewhere. */
export const Receipt = z.object({
  StandardReceiptId: FusionId,
  ReceiptNumber: text(100),
  Amount: amount,
  UnappliedAmount: amount,
  Currency: text(15),
  ReceiptDate: date,
  State: text(80),
  Status: text(80),
  // Not among the documented attributes; kept where an installation shows them.
  ReversalReasonCode: text(80),
  ReversalComments: text(2_000),
});

/** What tells that a creation was answered with a receipt. */
export const CreatedReceiptForm = z.looseObject({ StandardReceiptId: FusionId });

/** What an action answers. */
export const ActionResult = z.object({
  result: z
    .string()
    .nullable()
    .transform((said) => said?.slice(0, 1_000) || null),
});

/** Parses what an answer of the ERP must look like; throws an ErpError for anything else, which is not the ERP's. */
export function inForm<T>(form: z.ZodType<T>, answer: unknown): T {
  const result = form.safeParse(answer);
  if (result.success) return result.data;
  throw notTheErp("JSON that is not the resource's");
}

/** An item of which one value cannot be taken in. */
export class UnreadableItem extends ErpError {
  readonly fault: ValueFault;

  constructor(fault: ValueFault, where: string) {
    const { kind, reason } = unusable(`${fault.field} of ${where} ${VALUE_PROBLEMS[fault.problem]}`);
    super(kind, reason);
    this.fault = fault;
  }
}

/** Parses what arrived. Throws an UnreadableItem with the first attribute that is wrong, and an ErpError for no item at all. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, whereIs: string | (() => string)): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const where = typeof whereIs === "string" ? whereIs : whereIs();
  const [issue] = result.error.issues;
  const field = issue?.path[0];
  if (typeof field !== "string") throw unusable(`${where} has the wrong shape`);
  const problem = isProblem(issue?.message) ? issue.message : "not_text";
  throw new UnreadableItem({ field, value: shownValue(value, field), problem }, where);
}

function isProblem(code: string | undefined): code is ValueProblem {
  return code !== undefined && Object.hasOwn(VALUE_PROBLEMS, code);
}

const MAX_SHOWN = 100;

/** A value in one line, without what could be read as the end of a quotation. */
function shownValue(item: unknown, field: string): string | null {
  const value: unknown = typeof item === "object" && item !== null ? Reflect.get(item, field) : undefined;
  if (isAbsent(value)) return null;
  const line = plainLine(typeof value === "string" ? value : JSON.stringify(value)).replace(/["“”]/g, "'");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}…` : line;
}
