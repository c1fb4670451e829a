/**
 * What the service needs of an ERP, in the service's own words (completions §7). A connector translates one ERP's API
 * into this; nothing above it knows that API's names. Money is an exact plain decimal string in the invoice's currency,
 * dates are `YYYY-MM-DD`, ids are the ERP's own as text. Text is data from outside: capped in length, otherwise as sent.
 */

import { type ErpReason, erpSentence } from "../../erp-reasons.ts";
import { OutsideError } from "../outside-error.ts";
import type { ErpReceipts, Stoppable } from "./receipts.ts";

/** One line of an invoice's payment schedule. */
export interface ErpInstallment {
  readonly erpInstallmentId: string;
  readonly sequenceNumber: number | null;
  readonly dueDate: string | null;
  readonly originalAmount: string | null;
  /** What the ERP says is still owed; negative for a credit balance. */
  readonly outstanding: string | null;
  /** Settled in the ERP, with any balance. */
  readonly closed: boolean;
  /** The day it was closed; null where the ERP tells none, and of one that is open. */
  readonly closedOn: string | null;
  /** Any part of it is in dispute. */
  readonly disputed: boolean;
  /** The ERP's users keep it out of collections. */
  readonly excluded: boolean;
}

/** The party an invoice is billed to, as far as the ERP names one. */
export interface ErpCustomer {
  readonly erpCustomerId: string | null;
  readonly number: string | null;
  readonly name: string | null;
  /** Which of its sites this invoice is billed to; a receipt names it. */
  readonly site: string | null;
}

/** An invoice as the ERP has it at the moment it is read. */
export interface ErpInvoice {
  readonly erpInvoiceId: string;
  readonly invoiceNumber: string | null;
  readonly currency: string | null;
  readonly totalAmount: string | null;
  /** The sum of the installments' balances, or the invoice's own balance where it has no installments. */
  readonly openBalance: string | null;
  readonly invoiceDate: string | null;
  readonly dueDate: string | null;
  /** The ERP lets it be collected: it is neither a draft nor frozen (completions §9, `not_finalised`). */
  readonly finalised: boolean;
  readonly paymentTerms: string | null;
  /** The part of the company that is owed the money; a receipt must name it. */
  readonly businessUnit: string | null;
  readonly customer: ErpCustomer;
  /** Without duplicates, by sequence number, then id. */
  readonly installments: readonly ErpInstallment[];
}

/** Why a value of an ERP's cannot be taken in, by a code that is kept; the words go on after the field's name. */
export const VALUE_PROBLEMS = {
  missing: "is missing",
  not_an_id: "is not an id",
  not_a_number: "is not a number",
  not_a_date: "is not a date",
  not_a_whole_number: "is not a whole number",
  not_text: "is not text",
  not_a_flag: "is not a flag",
  not_a_collection: "is not a collection",
  not_a_currency: "is not in ISO 4217, and the workspace has a hundred such currencies already",
} as const;
export type ValueProblem = keyof typeof VALUE_PROBLEMS;

/** A value that cannot be taken in: the ERP's own name of the field, and the value in one clean line, null where it is missing. */
export interface ValueFault {
  readonly field: string;
  readonly value: string | null;
  readonly problem: ValueProblem;
}

/** An invoice of which one value cannot be taken in. */
export interface UnreadableInvoice extends ValueFault {
  readonly erpInvoiceId: string;
  readonly invoiceNumber: string | null;
}

/** Whom a customer's bills go to. */
export interface BillingContact {
  readonly contactName: string | null;
  /** As the ERP has it: it may be no address that mail can be sent to. */
  readonly email: string | null;
}

/** Invoices in ascending order of their ids, whole numbers of 64 bits; no id occurs on two pages of one read. */
export interface ErpPage {
  readonly invoices: readonly ErpInvoice[];
  /** Those that are there and cannot be read. */
  readonly unreadable: readonly UnreadableInvoice[];
  /** The greatest id of both. */
  readonly lastId: string;
}

/** Every call rejects with an {@link ErpError}, or with the signal's own reason once the signal is aborted. */
export interface ErpGateway extends ErpReceipts {
  /**
   * Reads every invoice dated `pullFrom` or later (all, when null). The next page is asked for only when the caller
   * comes back for it. An invoice that the ERP deletes or adds meanwhile may or may not be among them; no other is missed.
   */
  readInvoicePages(options: { readonly pullFrom: string | null; readonly signal: AbortSignal }): AsyncIterable<ErpPage>;

  /** Reads those of the ids that the ERP still has, of any date: confirms what a pull missed before it is retired. */
  findInvoices(erpInvoiceIds: readonly string[], options: Stoppable): AsyncIterable<ErpPage>;

  /** By ERP customer id; a customer that the ERP has no account record of is left out. */
  readBillingContacts(
    erpCustomerIds: readonly string[],
    options: Stoppable,
  ): Promise<ReadonlyMap<string, BillingContact>>;
}

/**
 * Why an ERP could not be used; the same words as a sync run's `error.code` (completions §4).
 * - `authentication_failed`: it refused the credentials (401, 403); a person has to act.
 * - `erp_unreachable`: no answer, too late, too busy or 5xx; later may go well.
 * - `erp_rejected`: it answered, and with something that cannot be used; trying again does not help.
 */
export type ErpErrorKind = "authentication_failed" | "erp_unreachable" | "erp_rejected";

interface Circumstances {
  readonly detail?: string | undefined;
  readonly erpMessage?: string | null;
  readonly outcomeUnknown?: boolean;
}

/** A failed call to an ERP; its public message is the sentence of its reason. */
export class ErpError extends OutsideError<ErpErrorKind> {
  override readonly name = "ErpError";
  readonly reason: ErpReason;
  /** What the ERP itself said, whole, on one line and without credentials; null where it said nothing. Data from outside. */
  readonly erpMessage: string | null;
  /** A write was sent, and the ERP may have carried it out: look before it is sent again. Never so of a read. */
  readonly outcomeUnknown: boolean;
  readonly #circumstances: Circumstances;

  constructor(kind: ErpErrorKind, reason: ErpReason, circumstances: Circumstances = {}) {
    super(kind, erpSentence(reason), circumstances.detail);
    this.reason = reason;
    this.erpMessage = circumstances.erpMessage ?? null;
    this.outcomeUnknown = circumstances.outcomeUnknown ?? false;
    this.#circumstances = circumstances;
  }

  /** The same error, met by a write after it had been sent. */
  afterSending() {
    return new ErpError(this.kind, this.reason, { ...this.#circumstances, outcomeUnknown: true });
  }
}

/** The error where an invoice is needed that cannot be read. */
export function errorOfUnreadable({ erpInvoiceId, field, problem }: UnreadableInvoice) {
  const what = `${field} of invoice ${erpInvoiceId} ${VALUE_PROBLEMS[problem]}`;
  return new ErpError("erp_rejected", { code: "unusable", what });
}
