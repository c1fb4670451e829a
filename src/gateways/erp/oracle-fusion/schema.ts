import { z } from "zod";
import { unusable } from "./errors.ts";
import { amount, date, FusionId, flag, optionalId, ordinal, text } from "./fields.ts";

/** A collection of any resource; its items are read one by one, so that an error can name the one. */
export const Collection = z.object({
  items: z.array(z.unknown(), "is missing"),
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
  receivablesInvoiceInstallments: z.union([Collection, z.array(z.unknown())], "is not a collection").nullish(),
});
export type FusionInvoice = z.output<typeof FusionInvoice>;

/** `accounts` of the CRM base path, likewise. */
export const Account = z.object({
  PartyId: FusionId,
  PrimaryContactName: text(360),
  PrimaryContactEmail: text(320),
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
});

/** What an action answers. */
export const ActionResult = z.object({ result: text(1_000) });

/** Parses what arrived; throws an ErpError that names the first attribute that is wrong, and `where` it is. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, whereIs: string | (() => string)): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const where = typeof whereIs === "string" ? whereIs : whereIs();
  const issue = result.error.issues[0];
  const attribute = issue?.path.filter((part) => typeof part === "string").at(-1);
  throw unusable(
    attribute === undefined ? `${where} has the wrong shape` : `${attribute} of ${where} ${issue?.message}`,
  );
}
