import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { type Answer, errorAnswer, FusionFault } from "./answers.ts";
import { type ControlInput, Faults } from "./faults.ts";
import { readFrameworkVersion } from "./parameters.ts";
import { type FusionItem, FusionRecords } from "./records.ts";
import { accounts, invoices } from "./resources.ts";
import { fusionRoutes } from "./routes.ts";

export type { ControlInput } from "./faults.ts";
export type { FusionItem } from "./records.ts";

/** What the simulated tenant starts with, and who may read it (anyone, without credentials). */
export interface FusionSimulatorOptions {
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
  readonly invoices?: Iterable<FusionItem>;
  readonly accounts?: Iterable<FusionItem>;
}

/** A request as it arrived; control requests are not among them. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<IncomingMessage["headers"]>;
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
  /** The same as `POST /_control`. */
  control(control: ControlInput): void;
  /** The latest requests, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Forgets the requests seen so far. */
  forgetRequests(): void;
}

const REQUESTS_KEPT = 1_000;
const MAX_CONTROL_BYTES = 10_000;

/** Makes a simulator; it answers once it listens. */
export function createFusionSimulator(options: FusionSimulatorOptions = {}): FusionSimulator {
  const records = new FusionRecords();
  records.put(invoices, options.invoices ?? []);
  records.put(accounts, options.accounts ?? []);
  const route = fusionRoutes(records);
  const faults = new Faults();
  const requests: SeenRequest[] = [];
  let address: string | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
    if (url.pathname === "/_control") return send(response, await control(request));
    requests.push(seen(request, url));
    if (requests.length > REQUESTS_KEPT) requests.shift();
    let frameworkVersion = 1;
    let reply: Answer;
    let cut = false;
    try {
      frameworkVersion = readFrameworkVersion(header(request, "rest-framework-version"));
      const meeting = await faults.meet(response);
      if (meeting === "silence") return;
      cut = meeting === "cut";
      checkCredentials(request, options.credentials);
      reply = route({ method: request.method ?? "GET", url, frameworkVersion });
    } catch (error) {
      const fault = error instanceof FusionFault ? error : new FusionFault(500, "JBO-29000: the simulator failed.");
      reply = errorAnswer(fault, frameworkVersion, header(request, "accept") ?? "");
    }
    send(response, reply, cut);
  }

  async function control(request: IncomingMessage): Promise<Answer> {
    try {
      if (request.method !== "POST") return { status: 405, body: "POST only" };
      return { status: 200, body: faults.set(JSON.parse(await bodyOf(request))) };
    } catch (error) {
      return { status: 400, body: error instanceof z.ZodError ? z.prettifyError(error) : "the body is not JSON" };
    }
  }

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
    putInvoices: (...items) => records.put(invoices, items),
    removeInvoices: (...ids) => records.remove(invoices, ids),
    putAccounts: (...items) => records.put(accounts, items),
    removeAccounts: (...ids) => records.remove(accounts, ids),
    control: (input) => void faults.set(input),
    requests,
    forgetRequests: () => void requests.splice(0),
  };
}

function seen(request: IncomingMessage, url: URL): SeenRequest {
  const query = Object.fromEntries(url.searchParams);
  return { method: request.method ?? "", path: url.pathname, query, headers: request.headers };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}

function checkCredentials(request: IncomingMessage, wanted: FusionSimulatorOptions["credentials"]): void {
  if (wanted === undefined) return;
  const expected = Buffer.from(`${wanted.username}:${wanted.password}`, "utf8").toString("base64");
  if (request.headers.authorization === `Basic ${expected}`) return;
  throw new FusionFault(401, "Authentication failed.", "", { "WWW-Authenticate": 'Basic realm="fusion"' });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > MAX_CONTROL_BYTES) throw new RangeError("too large");
  }
  return text;
}

function send(response: ServerResponse, answer: Answer, cut = false): void {
  const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
  const bytes = Buffer.from(text, "utf8");
  const plain = typeof answer.body === "string" ? "text/plain; charset=UTF-8" : "application/json";
  response.writeHead(answer.status, { "Content-Type": plain, ...answer.headers, "Content-Length": bytes.length });
  if (!cut) return void response.end(bytes);
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
}
