import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import express, { type RequestHandler } from "express";
import type { AssistantActor } from "../../src/core/gate/actor.ts";
import type { CallProgress } from "../../src/core/gate/run-context.ts";
import { requestIds } from "../../src/http/request-id.ts";
import { dispatcher } from "../../src/mcp/dispatch.ts";
import { type McpEndpointOptions, mcpEndpoint } from "../../src/mcp/endpoint.ts";
import type { Method } from "../../src/mcp/feature.ts";
import { OpenCalls } from "../../src/mcp/open-calls.ts";
import type { McpCaller } from "../../src/mcp/post.ts";
import { mcpMethods } from "../../src/mcp/server.ts";

export type Caller = McpCaller<AssistantActor>;

export const JSON_TYPE = "application/json";
export const SSE_TYPE = "text/event-stream";
export const BOTH = `${JSON_TYPE}, ${SSE_TYPE}`;

/** An assistant of a workspace of its own. */
export function assistant(name: string, change: Partial<AssistantActor> = {}): Caller {
  const ids = { tenantId: `tenant-${name}`, memberId: `member-${name}`, connectionId: `connection-${name}` };
  const actor = { kind: "assistant", readsOnly: false, role: "member", scopes: ["receivables:read"] } as const;
  return { key: ids.connectionId, actor: { ...actor, ...ids, ...change } };
}

/** Callers by bearer token; anything else is answered 401. */
const CALLERS: Record<string, Caller> = { ada: assistant("ada"), bob: assistant("bob") };

export interface Logged {
  fields: object;
  message: string;
}

/** A log that remembers its errors. */
export function memoryLog() {
  const errors: Logged[] = [];
  const none = () => undefined;
  return {
    errors,
    log: { info: none, warn: none, error: (fields: object, message: string) => void errors.push({ fields, message }) },
  };
}

/** A promise and the function that fulfils it. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

type Mounted = Partial<McpEndpointOptions<Caller>>;

/** The endpoint on a loopback port, with methods of the test's own. */
export async function startEndpoint(
  methods: ReadonlyMap<string, Method<Caller>>,
  mounted: Mounted = {},
  before: RequestHandler = (_req, _res, next) => next(),
) {
  const openCalls = new OpenCalls<Caller>();
  const { errors, log } = memoryLog();
  const app = express();
  const http = createServer(app);
  // A busy machine takes longer between two requests than a connection is kept.
  http.keepAliveTimeout = 60_000;
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const origin = `http://127.0.0.1:${address.port}`;
  app.all(
    "/mcp",
    requestIds(() => "request-1"),
    before,
    mcpEndpoint<Caller>({
      dispatch: dispatcher(methods, log),
      openCalls,
      publicOrigin: origin,
      authenticate: async (req, res) => {
        const caller = CALLERS[req.headers.authorization?.replace(/^Bearer /, "") ?? ""];
        if (caller === undefined) res.status(401).set("WWW-Authenticate", "Bearer").json({ error: "unauthorized" });
        return caller ?? null;
      },
      challenges: {
        revoked: () => 'Bearer error="invalid_token"',
        insufficientScope: (caller, scope) =>
          `Bearer error="insufficient_scope", scope="${caller.actor.scopes.join(" ")} ${scope}"`,
      },
      log,
      ...mounted,
    }),
  );
  const close = async () => {
    http.closeAllConnections();
    http.close();
    await once(http, "close");
  };
  return { origin, url: `${origin}/mcp`, openCalls, errors, close };
}

/** What a handler of the plain methods below works with. */
export interface Working {
  params: Readonly<Record<string, unknown>>;
  caller: Caller;
  signal: AbortSignal;
  onProgress: (progress: CallProgress) => void;
}

/** The given handlers, beside the protocol's own methods. */
export function plainServer(handlers: Record<string, (working: Working) => Promise<object>>) {
  const call = async () => ({});
  const serverInfo = { name: "plain", version: "1.0.0" };
  const own = mcpMethods<Caller>({ serverInfo, instructions: "", tools: [], call, log: memoryLog().log });
  const methods = Object.entries(handlers).map(([name, handler]): [string, Method<Caller>] => [
    name,
    async (caller, params, { signal, onProgress = () => undefined }) => ({
      ...(await handler({ params, caller, signal, onProgress })),
    }),
  ]);
  return new Map([...own, ...methods]);
}

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  json: () => unknown;
}

export interface Sent {
  method?: string;
  /** Sent as it is when a string, else as JSON. */
  body?: unknown;
  /** Undefined leaves a default header out. */
  headers?: Record<string, string | undefined>;
}

/** The headers of a well-behaved 2025-06-18 client. */
const DEFAULTS = {
  authorization: "Bearer ada",
  accept: BOTH,
  "content-type": JSON_TYPE,
  "mcp-protocol-version": "2025-06-18",
};

/** Begins one HTTP request and gives its response once the headers are there; `abort` breaks the connection. */
export function begin(url: string, { method = "POST", body, headers = {} }: Sent) {
  const merged = Object.entries({ ...DEFAULTS, ...headers }).filter(([, value]) => value !== undefined);
  const sent = request(url, { method, headers: Object.fromEntries(merged), agent: false });
  const response = once(sent, "response").then(([message]: IncomingMessage[]) => {
    if (message === undefined) throw new Error("no response");
    return message;
  });
  response.catch(() => undefined);
  sent.end(
    body === undefined ? undefined : typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  );
  return { response, abort: () => sent.destroy() };
}

export async function send(url: string, sent: Sent): Promise<Answer> {
  const message = await begin(url, sent).response;
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: message.statusCode ?? 0, headers: message.headers, text, json: () => JSON.parse(text) };
}

/** A request object; `params` is left out when undefined. */
export function rpc(id: unknown, method: string, params?: unknown) {
  return { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) };
}

export function notification(method: string, params?: unknown) {
  return { jsonrpc: "2.0", method, ...(params !== undefined && { params }) };
}

/** The body of a refusal, as a literal. */
export function refusal(code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":null,"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
}

/** The messages of an event stream. */
export function events(text: string): unknown[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const data = /^event: message\ndata: (.*)$/.exec(block)?.[1];
      if (data === undefined) throw new Error(`not an event: ${block}`);
      return JSON.parse(data);
    });
}
