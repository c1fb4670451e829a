import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { beyondBound, ERP_BOUNDS, Patience } from "../bounds.ts";
import type { ErpInstallment, ErpInvoice, ErpPage, UnreadableInvoice, ValueFault } from "../gateway.ts";
import { type FusionReading, lookUp } from "./paging.ts";
import { checked, FusionId, FusionInstallment, FusionInvoice, sumOf, text, UnreadableItem } from "./schema.ts";

const INVOICES = "/fscmRestApi/resources/11.13.18.05/receivablesInvoices";
/** The child resource that is the payment schedule. */
const INSTALLMENTS = "receivablesInvoiceInstallments";

/** What Fusion puts into an expanded child collection at most; also taken for the cap where it does not say `hasMore`. */
const EXPANDED_LIMIT = 25;
/** Oracle's "never": the closing date of what is still open. */
const END_OF_TIME = "4712-12-31";
/** Invoices, each with up to some dozens of installments, that are read in one go. */
const ROWS_A_TURN = 25;

/** Invoices with as many of their installments as Fusion puts into a page. */
export const INVOICE_LISTING = {
  path: INVOICES,
  idAttribute: "CustomerTransactionId",
  toRow: toInvoiceRow,
} as const;
export const WITH_INSTALLMENTS = { expand: INSTALLMENTS };

/** A row of which one value cannot be taken in. */
type UnreadableRow = Pick<FusionInvoice, "CustomerTransactionId" | "TransactionNumber"> & {
  readonly fault: ValueFault;
};
type FusionRow = FusionInvoice | UnreadableRow;

/** What names an invoice; a number that is not text is left out. */
const Named = z.object({ CustomerTransactionId: FusionId, TransactionNumber: text(100).catch(null) });

function toInvoiceRow(item: unknown): FusionRow {
  try {
    return checked(FusionInvoice, item, "an invoice");
  } catch (error) {
    const named = Named.safeParse(item);
    if (error instanceof UnreadableItem && named.success) return { ...named.data, fault: error.fault };
    throw error;
  }
}

/**
 * The invoices of rows with all their installments, in pages of rows, or smaller where there are many installments. A reading of
 * which nothing comes for too long is given up.
 */
export async function* readCompleted(
  reading: FusionReading,
  rowsUnder: (signal: AbortSignal) => AsyncIterable<readonly FusionRow[]>,
  given: AbortSignal,
): AsyncGenerator<ErpPage> {
  const patience = new Patience("minutesWithoutProgress", reading.minutesWithoutProgress);
  const signal = AbortSignal.any([given, patience.signal]);
  let invoices: ErpInvoice[] = [];
  let unreadable: UnreadableInvoice[] = [];
  let installments = 0;
  try {
    for await (const rows of rowsUnder(signal)) {
      for (const [index, row] of rows.entries()) {
        if (index % ROWS_A_TURN === 0) await nextTurn();
        const read = await readInvoice(reading, row, signal);
        if ("fault" in read) unreadable.push(setAside(read));
        else {
          invoices.push(read);
          installments += read.installments.length;
        }
        if (installments < ERP_BOUNDS.installmentsOfPage && index < rows.length - 1) continue;
        patience.pause();
        yield { invoices, unreadable, lastId: row.CustomerTransactionId };
        patience.restart();
        invoices = [];
        unreadable = [];
        installments = 0;
      }
    }
  } finally {
    patience.pause();
  }
}

const setAside = ({ CustomerTransactionId, TransactionNumber, fault }: UnreadableRow): UnreadableInvoice => ({
  erpInvoiceId: CustomerTransactionId,
  invoiceNumber: TransactionNumber,
  ...fault,
});

async function readInvoice(
  reading: FusionReading,
  row: FusionRow,
  signal: AbortSignal,
): Promise<ErpInvoice | UnreadableRow> {
  if ("fault" in row) return row;
  try {
    return await completeInvoice(reading, row, signal);
  } catch (error) {
    if (error instanceof UnreadableItem) return { ...row, fault: error.fault };
    throw error;
  }
}

/** The invoice in the service's words; asks for the rest of its installments where the page holds only some. */
async function completeInvoice(
  reading: FusionReading,
  invoice: FusionInvoice,
  signal: AbortSignal,
): Promise<ErpInvoice> {
  const where = `an installment of invoice ${invoice.CustomerTransactionId}`;
  const toRow = (item: unknown): FusionInstallment => checked(FusionInstallment, item, where);
  const expanded = expandedItems(invoice);
  if (expanded !== undefined) {
    const most = reading.installmentsOfInvoice;
    if (expanded.length > most) throw beyondBound("installmentsOfInvoice", most);
    return toErpInvoice(invoice, expanded.map(toRow));
  }
  const path = `${INVOICES}/${invoice.CustomerTransactionId}/child/${INSTALLMENTS}`;
  const listing = { path, idAttribute: "InstallmentId", toRow, bound: "installmentsOfInvoice" } as const;
  return toErpInvoice(invoice, await lookUp(reading, listing, {}, signal));
}

/** The expanded installments, or undefined when they are not all there. */
function expandedItems(invoice: FusionInvoice): readonly unknown[] | undefined {
  const expanded = invoice.receivablesInvoiceInstallments;
  if (expanded === null || expanded === undefined) return undefined;
  const items = Array.isArray(expanded) ? expanded : expanded.items;
  const hasMore = Array.isArray(expanded) ? undefined : expanded.hasMore;
  return (hasMore ?? items.length >= EXPANDED_LIMIT) ? undefined : items;
}

function toErpInvoice(invoice: FusionInvoice, rows: readonly FusionInstallment[]): ErpInvoice {
  const installments = [...new Map(rows.map((row) => [row.InstallmentId, toErpInstallment(row)])).values()].sort(
    bySequence,
  );
  const balances = installments.map((installment) => installment.outstanding).filter((balance) => balance !== null);
  const scheduled = balances.length > 0 ? sumOf(balances) : null;
  return {
    erpInvoiceId: invoice.CustomerTransactionId,
    invoiceNumber: invoice.TransactionNumber,
    currency: invoice.InvoiceCurrencyCode,
    totalAmount: invoice.EnteredAmount,
    openBalance: installments.length > 0 ? scheduled : ownBalance(invoice),
    invoiceDate: invoice.TransactionDate,
    dueDate: invoice.DueDate,
    finalised: invoice.InvoiceStatus?.toLowerCase() === "complete",
    paymentTerms: invoice.PaymentTerms,
    businessUnit: invoice.BusinessUnit,
    customer: {
      erpCustomerId: invoice.BillToPartyId,
      number: invoice.BillToCustomerNumber,
      name: invoice.BillToCustomerName,
      site: invoice.BillToSite,
    },
    installments,
  };
}

/** What an invoice without a schedule says that it owes; null where that may be in the ledger's currency. */
function ownBalance({ ConversionRate: rate, InvoiceBalanceAmount: balance }: FusionInvoice): string | null {
  return rate === null || Number(rate) === 1 ? balance : null;
}

function toErpInstallment(row: FusionInstallment): ErpInstallment {
  const status = row.InstallmentStatus?.toLowerCase();
  const closedOn = row.InstallmentClosedDate === END_OF_TIME ? null : row.InstallmentClosedDate;
  // What is open may still have the day on which it was closed once, or is going to be.
  const closed = status === undefined ? closedOn !== null : status === "closed";
  return {
    erpInstallmentId: row.InstallmentId,
    sequenceNumber: row.InstallmentSequenceNumber,
    dueDate: row.InstallmentDueDate,
    originalAmount: row.OriginalAmount,
    outstanding: row.InstallmentBalanceDue,
    closed,
    closedOn: closed ? closedOn : null,
    disputed: row.DisputeAmount !== null && row.DisputeAmount !== "0",
    excluded: row.ExcludeFromCollections,
  };
}

function bySequence(a: ErpInstallment, b: ErpInstallment): number {
  const order = (a.sequenceNumber ?? Number.MAX_SAFE_INTEGER) - (b.sequenceNumber ?? Number.MAX_SAFE_INTEGER);
  return order !== 0 ? order : Number(BigInt(a.erpInstallmentId) - BigInt(b.erpInstallmentId));
}
