import fc from "fast-check";
import { onTestFinished } from "vitest";
import { ErpError, type ErpGateway, type ErpInvoice } from "../../../src/gateways/erp/gateway.ts";
import { type OracleFusionOptions, oracleFusion } from "../../../src/gateways/erp/oracle-fusion/index.ts";
import type { NewReceipt } from "../../../src/gateways/erp/receipts.ts";
import {
  createFusionSimulator,
  type FusionItem,
  type FusionSimulator,
  type FusionSimulatorOptions,
} from "../../../src/simulators/fusion/index.ts";
import { served } from "../../support/served.ts";

export const USER = "ar.reader";
export const PASSWORD = "päss:wörd \u{1f511}";

/** A running simulator that asks for USER and PASSWORD; it ends with the test. */
export async function simulator(options: FusionSimulatorOptions = {}): Promise<FusionSimulator> {
  const started = createFusionSimulator({ credentials: { username: USER, password: PASSWORD }, ...options });
  await started.listen();
  onTestFinished(() => started.close());
  return started;
}

/** A server that answers the same JSON (or text) to everything. */
export const answering = (body: unknown, status = 200, headers: Record<string, string> = {}): Promise<string> =>
  served((_request, response) => {
    response.writeHead(status, headers);
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });

/** The connector; it tries again at once. */
export function connect(baseUrl: string, options: Partial<OracleFusionOptions> = {}): ErpGateway {
  return oracleFusion({ baseUrl, username: USER, password: PASSWORD, timeoutMs: 20_000, retryDelayMs: 5, ...options });
}

export const signal = new AbortController().signal;

/** Reads all pages; `between` runs after each but before the next is asked for. */
export async function readAll(
  erp: ErpGateway,
  between: (page: readonly ErpInvoice[], number: number) => void = () => {},
): Promise<ErpInvoice[]> {
  const all: ErpInvoice[] = [];
  let number = 0;
  for await (const page of erp.readInvoicePages({ pullFrom: null, signal })) {
    all.push(...page.invoices);
    number += 1;
    between(page.invoices, number);
  }
  return all;
}

/** The error of a read that has to fail. */
export async function failure(reading: Promise<unknown>): Promise<ErpError> {
  const outcome = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof ErpError) return outcome;
  throw new Error(`an ErpError was expected, not ${String(outcome)}`);
}

export const BASE_ID = 300_100_180_000_000_000n;

/** An id beyond 2^53, by number. */
export const idOf = (number: number): string => String(BASE_ID + BigInt(number) * 100n);

/** An invoice with one open installment of 1250.50 USD, all of it to be overridden. */
export function invoice(number: number, over: FusionItem = {}, installments?: readonly FusionItem[]): FusionItem {
  return {
    CustomerTransactionId: BigInt(idOf(number)),
    TransactionNumber: `INV-${number}`,
    TransactionDate: "2026-10-01",
    DueDate: "2026-10-31",
    InvoiceCurrencyCode: "USD",
    EnteredAmount: JSON.rawJSON("1250.50"),
    InvoiceBalanceAmount: JSON.rawJSON("1250.50"),
    InvoiceStatus: "Complete",
    BusinessUnit: "Vision Operations",
    BillToCustomerName: "Acme Ltd",
    BillToCustomerNumber: "1006",
    BillToSite: "4001",
    BillToPartyId: 300_100_500_000_000_001n,
    PaymentTerms: "30 Net",
    receivablesInvoiceInstallments: { items: installments ?? [installment(number, 1)] },
    ...over,
  };
}

/** An installment of an invoice made by `invoice`. */
export function installment(invoiceNumber: number, sequence: number, over: FusionItem = {}): FusionItem {
  return {
    InstallmentId: BigInt(idOf(invoiceNumber)) + BigInt(sequence),
    InstallmentSequenceNumber: sequence,
    InstallmentDueDate: "2026-10-31",
    OriginalAmount: JSON.rawJSON("1250.50"),
    InstallmentBalanceDue: JSON.rawJSON("1250.50"),
    InstallmentStatus: "Open",
    DisputeAmount: null,
    InstallmentClosedDate: null,
    ExcludeFromCollections: null,
    ...over,
  };
}

/** Invoices from one number to another, both included. */
export const invoices = (from: number, to: number): FusionItem[] =>
  Array.from({ length: to - from + 1 }, (_, index) => invoice(from + index));

/** The receipt of an invoice made by `invoice`: all of its one installment. */
export const newReceipt = (number: number, over: Partial<NewReceipt> = {}): NewReceipt => ({
  receiptNumber: `PAY-${number}`,
  amount: "1250.50",
  currency: "USD",
  receiptDate: "2026-11-20",
  receiptMethod: "Stripe",
  businessUnit: "Vision Operations",
  customerNumber: "1006",
  customerSite: "4001",
  invoiceNumber: `INV-${number}`,
  applyMode: "rest_action",
  ...over,
});

/** The id of the first installment of an invoice made by `invoice`. */
export const installmentIdOf = (number: number): string => String(BigInt(idOf(number)) + 1n);

/** A decimal of any sign, as a whole number of 10^-digits. */
export const scaled = fc.record({ units: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), digits: fc.nat(6) });

/** It, written out. */
export function written({ units, digits }: { units: bigint; digits: number }): string {
  const text = String(units < 0n ? -units : units).padStart(digits + 1, "0");
  const fraction = digits === 0 ? "" : `.${text.slice(text.length - digits)}`;
  return `${units < 0n ? "-" : ""}${text.slice(0, text.length - digits)}${fraction}`;
}
