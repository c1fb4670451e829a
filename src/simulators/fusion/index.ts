import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { type Answer, errorAnswer, FusionFault } from "./answers.ts";
import { type ControlInput, Faults } from "./faults.ts";
import { EnteredReceipt, Office } from "./office.ts";
import { readFrameworkVersion } from "./parameters.ts";
import { ReceiptLedger, type ReversalCategory } from "./receipt-ledger.ts";
import { type SimulatedReceipt, simulatedReceipts } from "./receipt-view.ts";
import { type FusionItem, FusionRecords } from "./records.ts";
import { accounts, invoiceResource } from "./resources.ts";
import { fusionRoutes } from "./routes.ts";
import { bodyOf, header, send } from "./wire.ts";

export type { ControlInput } from "./faults.ts";
export type { SimulatedReceipt } from "./receipt-view.ts";
export type { FusionItem } from "./records.ts";

/** What the simulated tenant starts with, and who may use it (anyone, without credentials). */
export interface FusionSimulatorOptions {
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
  readonly invoices?: Iterable<FusionItem>;
  readonly accounts?: Iterable<FusionItem>;
  /** The receipt methods that are set up; any will do, where absent. */
  readonly receiptMethods?: readonly string[];
  /** For the dates it sets itself. */
  readonly now?: () => Date;
}

/** A request as it arrived; control requests are not among them. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<IncomingMessage["headers"]>;
  /** As it was sent. */
  readonly body: string;
}

/** An Oracle-Fusion-shaped REST service on a port of its own, for the demo and the tests. */
export interface FusionSimulator {
  /** Port 0 takes a free one. Resolves to the base address. */
  listen(port?: number, host?: string): Promise<string>;
  /** Ends every connection, hanging ones too. */
  close(): Promise<void>;
  /** The base address, once it listens. */
  readonly url: string;
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

const REQUESTS_KEPT = 1_000;
const MAX_CONTROL_LENGTH = 10_000;
const MAX_BODY_LENGTH = 1_000_000;

/** Makes a simulator; it answers once it listens. */
export function createFusionSimulator(options: FusionSimulatorOptions = {}): FusionSimulator {
  const records = new FusionRecords();
  records.put(invoiceResource, options.invoices ?? []);
  records.put(accounts, options.accounts ?? []);
  const { receiptMethods, now = () => new Date() } = options;
  const ledger = new ReceiptLedger(records, { receiptMethods }, now);
  const route = fusionRoutes(records, ledger);
  const office = new Office(records, ledger, now);
  const faults = new Faults();
  const requests: SeenRequest[] = [];
  let address: string | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
    if (url.pathname === "/_control") return send(response, await control(request));
    if (url.pathname === "/_automatch") return send(response, automatch(request));
    if (url.pathname.startsWith("/_")) return send(response, await inOffice(request, url.pathname));
    const body = await bodyOf(request, MAX_BODY_LENGTH);
    const { method = "GET" } = request;
    requests.push({ method, path: url.pathname, query: queryOf(url), headers: request.headers, body });
    if (requests.length > REQUESTS_KEPT) requests.shift();
    const strike = faults.of(method, url.pathname);
    const contentType = header(request, "content-type") ?? "";
    let frameworkVersion = 1;
    let reply: Answer;
    let cut = false;
    try {
      frameworkVersion = readFrameworkVersion(header(request, "rest-framework-version"));
      const before = await strike("before", response);
      if (before === "silence") return;
      checkCredentials(request, options.credentials);
      reply = route({ method, url, frameworkVersion, contentType, body });
      const after = await strike("after-effect", response);
      if (after === "silence") return;
      cut = before === "cut" || after === "cut";
    } catch (error) {
      const fault = error instanceof FusionFault ? error : new FusionFault(500, "JBO-29000: the simulator failed.");
      reply = errorAnswer(fault, frameworkVersion, header(request, "accept") ?? "");
    }
    send(response, reply, cut);
  }

  async function control(request: IncomingMessage): Promise<Answer> {
    try {
      if (request.method !== "POST") return { status: 405, body: "POST only" };
      return { status: 200, body: faults.set(JSON.parse(await bodyOf(request, MAX_CONTROL_LENGTH))) };
    } catch (error) {
      return { status: 400, body: error instanceof z.ZodError ? z.prettifyError(error) : "the body is not JSON" };
    }
  }

  async function inOffice(request: IncomingMessage, path: string): Promise<Answer> {
    try {
      if (request.method !== "POST") return { status: 405, body: "POST only" };
      const body: unknown = JSON.parse(await bodyOf(request, MAX_CONTROL_LENGTH));
      return office.answer(path, body) ?? { status: 404, body: "no such control" };
    } catch (error) {
      if (error instanceof z.ZodError) return { status: 400, body: z.prettifyError(error) };
      return { status: 400, body: error instanceof Error ? error.message : "failed" };
    }
  }

  const automatch = (request: IncomingMessage): Answer =>
    request.method === "POST"
      ? { status: 200, body: { applied: ledger.autoMatch() } }
      : { status: 405, body: "POST only" };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  return {
    listen: (port = 0, host = "127.0.0.1") =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          const bound = server.address();
          const name = host.includes(":") ? `[${host}]` : host;
          address = `http://${name}:${typeof bound === "object" && bound !== null ? bound.port : port}`;
          resolve(address);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    get url() {
      if (address === undefined) throw new Error("the simulator does not listen yet");
      return address;
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

const queryOf = (url: URL): Record<string, string> => Object.fromEntries(url.searchParams);

function checkCredentials(request: IncomingMessage, wanted: FusionSimulatorOptions["credentials"]): void {
  if (wanted === undefined) return;
  const expected = Buffer.from(`${wanted.username}:${wanted.password}`, "utf8").toString("base64");
  if (request.headers.authorization === `Basic ${expected}`) return;
  throw new FusionFault(401, "Authentication failed.", "", { "WWW-Authenticate": 'Basic realm="fusion"' });
}
