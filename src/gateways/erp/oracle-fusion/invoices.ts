import { setImmediate as nextTurn } from "node:timers/promises";
import { beyondBound, ERP_BOUNDS, Patience } from "../bounds.ts";
import type { ErpInstallment, ErpInvoice, ErpPage, UnreadableInvoice } from "../gateway.ts";
import { type FusionReading, lookUp } from "./paging.ts";
import {
  type Attributes,
  amount,
  anyText,
  attributesOf,
  children,
  date,
  flag,
  fusionId,
  optionalId,
  ordinal,
  sumOf,
  text,
  UnreadableItem,
} from "./schema.ts";

const INVOICES = "/fscmRestApi/resources/11.13.18.05/receivablesInvoices";
/** The child resource that is the payment schedule. */
const INSTALLMENTS = "receivablesInvoiceInstallments";

/** What Fusion puts into an expanded child collection at most; also taken for the cap where it does not say `hasMore`. */
const EXPANDED_LIMIT = 25;
/** Oracle's "never": the closing date of what is still open. */
const END_OF_TIME = "4712-12-31";
/** Invoices and installments that are read in one go. */
const ITEMS_A_TURN = 500;

/** Invoices with as many of their installments as Fusion puts into a page. */
export const INVOICE_LISTING = {
  path: INVOICES,
  idAttribute: "CustomerTransactionId",
  toRow: toInvoiceRow,
  idOf: (row: FusionRow) => row.erpInvoiceId,
} as const;
export const WITH_INSTALLMENTS = { expand: INSTALLMENTS };

type FusionInvoice = ReturnType<typeof invoiceOf>;
type FusionRow = FusionInvoice | UnreadableInvoice;

function toInvoiceRow(item: unknown): FusionRow {
  const of = attributesOf(item, "an invoice");
  try {
    return invoiceOf(of);
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    const erpInvoiceId = of("CustomerTransactionId", fusionId);
    return { erpInvoiceId, invoiceNumber: of("TransactionNumber", anyText(100)), ...error.fault };
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
  let itemsOfTurn = 0;
  try {
    for await (const rows of rowsUnder(signal)) {
      for (const [index, row] of rows.entries()) {
        const expanded = "problem" in row ? 0 : (row.expanded?.items.length ?? 0);
        itemsOfTurn += 1 + expanded;
        if (index === 0 || itemsOfTurn > ITEMS_A_TURN) {
          await nextTurn();
          itemsOfTurn = 0;
        }
        const read = await readInvoice(reading, row, signal);
        if ("problem" in read) unreadable.push(read);
        else invoices.push(read);
        // Those of an invoice that is set aside were read as well.
        installments += "problem" in read ? expanded : read.installments.length;
        if (installments < ERP_BOUNDS.installmentsOfPage && index < rows.length - 1) continue;
        patience.pause();
        yield { invoices, unreadable, lastId: row.erpInvoiceId };
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

/** The invoice with all its installments, or what cannot be taken in of one. */
async function readInvoice(
  reading: FusionReading,
  row: FusionRow,
  signal: AbortSignal,
): Promise<ErpInvoice | UnreadableInvoice> {
  if ("problem" in row) return row;
  try {
    const { expanded, ...invoice } = row;
    const installments = await installmentsOf(reading, row, signal);
    const balances = installments.map((installment) => installment.outstanding).filter((balance) => balance !== null);
    if (installments.length > 0) invoice.openBalance = balances.length > 0 ? sumOf(balances) : null;
    return { ...invoice, installments };
  } catch (error) {
    const { erpInvoiceId, invoiceNumber } = row;
    if (error instanceof UnreadableItem) return { erpInvoiceId, invoiceNumber, ...error.fault };
    throw error;
  }
}

/** Those of the page, or where it holds only some, all asked for again; by sequence number, then id. */
async function installmentsOf(reading: FusionReading, { erpInvoiceId, expanded }: FusionInvoice, signal: AbortSignal) {
  const toRow = (item: unknown) => installmentOf(item, `an installment of invoice ${erpInvoiceId}`);
  const { installmentsOfInvoice: most } = reading;
  let rows: ErpInstallment[];
  if (expanded === null || (expanded.hasMore ?? expanded.items.length >= EXPANDED_LIMIT)) {
    const path = `${INVOICES}/${erpInvoiceId}/child/${INSTALLMENTS}`;
    const listing = { path, idAttribute: "InstallmentId", toRow, idOf, bound: "installmentsOfInvoice" } as const;
    rows = await lookUp(reading, listing, {}, signal);
  } else if (expanded.items.length > most) throw beyondBound("installmentsOfInvoice", most);
  else rows = expanded.items.map(toRow);
  return [...new Map(rows.map((row) => [row.erpInstallmentId, row])).values()].sort(bySequence);
}

const idOf = (row: ErpInstallment) => row.erpInstallmentId;

/** `receivablesInvoices`, the attributes the service reads, with the installments of the page. */
function invoiceOf(of: Attributes) {
  return {
    erpInvoiceId: of("CustomerTransactionId", fusionId),
    invoiceNumber: of("TransactionNumber", text(100)),
    invoiceDate: of("TransactionDate", date),
    dueDate: of("DueDate", date),
    currency: of("InvoiceCurrencyCode", text(15)),
    totalAmount: of("EnteredAmount", amount),
    // ConversionRate is text, for it has more digits than any amount.
    openBalance: ownBalance(of("InvoiceBalanceAmount", amount), of("ConversionRate", text(80))),
    finalised: of("InvoiceStatus", text(30))?.toLowerCase() === "complete",
    paymentTerms: of("PaymentTerms", text(100)),
    businessUnit: of("BusinessUnit", text(240)),
    customer: {
      erpCustomerId: of("BillToPartyId", optionalId),
      number: of("BillToCustomerNumber", text(100)),
      name: of("BillToCustomerName", text(360)),
      site: of("BillToSite", text(150)),
    },
    expanded: of(INSTALLMENTS, children),
  };
}

/** What an invoice without a schedule says that it owes; null where that may be in the ledger's currency. */
function ownBalance(balance: string | null, rate: string | null) {
  return rate === null || Number(rate) === 1 ? balance : null;
}

/** `receivablesInvoiceInstallments`, likewise. */
function installmentOf(item: unknown, where: string): ErpInstallment {
  const of = attributesOf(item, where);
  const facts = {
    erpInstallmentId: of("InstallmentId", fusionId),
    sequenceNumber: of("InstallmentSequenceNumber", ordinal),
    dueDate: of("InstallmentDueDate", date),
    originalAmount: of("OriginalAmount", amount),
    // In the invoice's currency; AccountedBalanceDue is in the ledger's.
    outstanding: of("InstallmentBalanceDue", amount),
  };
  const status = of("InstallmentStatus", text(30))?.toLowerCase();
  const day = of("InstallmentClosedDate", date);
  const closedOn = day === END_OF_TIME ? null : day;
  // What is open may still have the day on which it was closed once, or is going to be.
  const closed = status === undefined ? closedOn !== null : status === "closed";
  const disputed = ![null, "0"].includes(of("DisputeAmount", amount));
  const excluded = of("ExcludeFromCollections", flag);
  return { ...facts, closed, closedOn: closed ? closedOn : null, disputed, excluded };
}

function bySequence(a: ErpInstallment, b: ErpInstallment) {
  const order = (a.sequenceNumber ?? Number.MAX_SAFE_INTEGER) - (b.sequenceNumber ?? Number.MAX_SAFE_INTEGER);
  return order !== 0 ? order : Number(BigInt(a.erpInstallmentId) - BigInt(b.erpInstallmentId));
}
