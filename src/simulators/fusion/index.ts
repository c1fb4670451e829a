import type { z } from "zod";
import type { LocalServer } from "../local-server.ts";
import { type ControlInput, Faults } from "./faults.ts";
import { EnteredReceipt, Office } from "./office.ts";
import { ReceiptLedger, type ReversalCategory } from "./receipt-ledger.ts";
import { type SimulatedReceipt, simulatedReceipts } from "./receipt-view.ts";
import { type FusionItem, FusionRecords } from "./records.ts";
import { accounts, invoiceResource } from "./resources.ts";
import { fusionRoutes } from "./routes.ts";
import { type Credentials, fusionServer, type SeenRequest } from "./server.ts";

export type { ControlInput } from "./faults.ts";
export type { SimulatedReceipt } from "./receipt-view.ts";
export type { FusionItem } from "./records.ts";
export type { SeenRequest } from "./server.ts";

/** What the simulated tenant starts with, and who may use it (anyone, without credentials). */
export interface FusionSimulatorOptions {
  readonly credentials?: Credentials | undefined;
  readonly invoices?: Iterable<FusionItem>;
  readonly accounts?: Iterable<FusionItem>;
  /** The receipt methods that are set up; any will do, where absent. */
  readonly receiptMethods?: readonly string[];
  /** For the dates it sets itself. */
  readonly now?: () => Date;
}

/** An Oracle-Fusion-shaped REST service on a port of its own, for the demo and the tests. */
export interface FusionSimulator extends LocalServer {
  /** Adds invoices, installments included, or replaces those of the same CustomerTransactionId. */
  putInvoices(...items: readonly FusionItem[]): void;
  removeInvoices(...ids: readonly string[]): void;
  /** Adds account records, or replaces those of the same PartyId. */
  putAccounts(...items: readonly FusionItem[]): void;
  removeAccounts(...partyIds: readonly string[]): void;
  /** The receipts it holds, oldest first. */
  readonly receipts: readonly SimulatedReceipt[];
  /** Adds receipts, or replaces those of the same StandardReceiptId. They settle nothing by that. */
  putReceipts(...items: readonly FusionItem[]): void;
  /** Deletes receipts, and takes back what they settled. */
  removeReceipts(...receiptIds: readonly string[]): void;
  /** What an ERP's user does: undoes a receipt and all it settled. Throws when that cannot be. */
  reverseReceipt(receiptId: string, category?: ReversalCategory): void;
  /** What an ERP's user does, also by `POST /_enter-receipt`: enters a receipt by hand and applies it. Its id. */
  enterReceipt(receipt: z.input<typeof EnteredReceipt>): string;
  /** Closes accounting periods, also by `POST /_close-periods`: nothing dated up to that day is taken. Null opens them. */
  closePeriods(through: string | null): void;
  /** Takes back what a receipt settled of an installment. Throws when it settled nothing of it. */
  unapplyReceipt(receiptId: string, installmentId: string): void;
  /** What Fusion's job does, also by `POST /_automatch`: applies receipts by their remittance references. How often it did. */
  runAutoMatch(): number;
  /** The same as `POST /_control`. */
  control(control: ControlInput): void;
  /** The latest requests, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Forgets the requests seen so far. */
  forgetRequests(): void;
}

/** Makes a simulator; it answers once it listens. */
export function createFusionSimulator(options: FusionSimulatorOptions = {}): FusionSimulator {
  const records = new FusionRecords();
  records.put(invoiceResource, options.invoices ?? []);
  records.put(accounts, options.accounts ?? []);
  const { receiptMethods, now = () => new Date() } = options;
  const ledger = new ReceiptLedger(records, { receiptMethods }, now);
  const office = new Office(records, ledger, now);
  const faults = new Faults();
  const requests: SeenRequest[] = [];
  const server = fusionServer({
    credentials: options.credentials,
    faults,
    office,
    requests,
    route: fusionRoutes(records, ledger),
    autoMatch: () => ledger.autoMatch(),
  });
  return {
    listen: server.listen,
    close: server.close,
    get url() {
      return server.url;
    },
    putInvoices: (...items) => records.put(invoiceResource, items),
    removeInvoices: (...ids) => records.remove(invoiceResource, ids),
    putAccounts: (...items) => records.put(accounts, items),
    removeAccounts: (...ids) => records.remove(accounts, ids),
    get receipts() {
      return simulatedReceipts(records, ledger);
    },
    putReceipts: (...items) => items.forEach((item) => void ledger.put(item)),
    removeReceipts: (...ids) => ids.forEach((id) => void ledger.remove(id)),
    reverseReceipt: (receiptId, category = "REV") => ledger.reverse(receiptId, category),
    enterReceipt: (receipt) => office.enter(EnteredReceipt.parse(receipt)),
    closePeriods: (through) => {
      ledger.closedThrough = through;
    },
    unapplyReceipt: (receiptId, installmentId) => ledger.unapply(receiptId, installmentId, null),
    runAutoMatch: () => ledger.autoMatch(),
    control: (input) => void faults.set(input),
    requests,
    forgetRequests: () => void requests.splice(0),
  };
}
