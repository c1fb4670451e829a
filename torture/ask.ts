import { z } from "zod";
import { ERRORS, type ErrorCode } from "../src/core/kernel/error.ts";
import { RPC } from "../src/mcp/protocol-error.ts";
import { awakeMs } from "./awake.ts";
import type { Tally } from "./tally.ts";

/** How long a client waits for an answer; a machine that others use may stand still for a minute. */
const PATIENCE_MS = 150_000;

/** What came of a request: an answer, a listed error that is final, or a reason to send it again. */
export type Asked =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string }
  | { readonly ok: null };

const AGAIN: Asked = { ok: null };

const WireError = z.strictObject({
  error: z.strictObject({
    code: z.custom<ErrorCode>((code) => typeof code === "string" && code in ERRORS),
    message: z.string().min(1),
    request_id: z.string().min(1),
    details: z.array(z.strictObject({ field: z.string(), message: z.string() })).optional(),
  }),
});
const RpcAnswer = z.looseObject({
  result: z
    .looseObject({
      isError: z.boolean().optional(),
      structuredContent: z.unknown().optional(),
      content: z.array(z.looseObject({ text: z.string().optional() })),
    })
    .optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});
const RPC_CODES = new Set<number>(Object.values(RPC));

/** Who asks, and what must not show in an answer to them. */
export interface Asker {
  readonly tally: Tally;
  /** The tenant's marker. */
  readonly marker: string;
  /** Words of other tenants alone. */
  readonly foreign: readonly string[];
}

interface Raw {
  status: number;
  text: string;
}

/** Sends one request and reads all of its answer; null where it broke off. */
export async function fetchWhole(
  { tally, foreign, marker }: Asker,
  url: string,
  init: RequestInit,
): Promise<Raw | null> {
  tally.requests += 1;
  const what = `${init.method ?? "GET"} ${new URL(url).pathname}`;
  const begun = awakeMs();
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS), redirect: "manual" });
    tally.answered(what, awakeMs() - begun, response);
    const text = await response.text();
    const leak = foreign.find((word) => text.includes(word));
    if (leak !== undefined) tally.count("crossTenant", `${what}: ${leak}`);
    return { status: response.status, text };
  } catch (error) {
    tally.breakOff(`${what}: ${causeOf(error)}`, marker);
    return null;
  }
}

/** Why a request broke off: `fetch` says only that it did. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return String(error);
  const { cause } = error;
  return "code" in cause ? `${String(cause.code)} ${cause.message}` : cause.message;
}

/** A request of the REST API. */
export async function askRest(
  asker: Asker,
  url: string,
  { key, json, headers = {} }: { key: string; json?: object; headers?: Record<string, string> },
): Promise<Asked> {
  const answer = await fetchWhole(asker, url, {
    method: json === undefined ? "GET" : "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      ...(json === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (answer === null) return AGAIN;
  const body = parsed(answer.text);
  if (answer.status >= 200 && answer.status < 300 && body !== undefined) return { ok: true, body };
  return refusal(asker, `${answer.status} ${new URL(url).pathname}`, answer);
}

let lastId = 0;

/** A tool call; with `progress` its answer is a stream. */
export async function askTool(
  asker: Asker,
  origin: string,
  { token, name, args, progress = false }: { token: string; name: string; args: object; progress?: boolean },
): Promise<Asked> {
  lastId += 1;
  const meta = progress ? { _meta: { progressToken: lastId } } : {};
  const answer = await fetchWhole(asker, `${origin}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      "MCP-Protocol-Version": "2025-06-18",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: lastId,
      method: "tools/call",
      params: { name, arguments: args, ...meta },
    }),
  });
  if (answer === null) return AGAIN;
  const what = `${answer.status} ${name}`;
  const last = answer.text.startsWith("event:")
    ? (answer.text.match(/^data: .*$/gm)?.at(-1) ?? "").slice(6)
    : answer.text;
  const rpc = RpcAnswer.safeParse(parsed(last));
  if (answer.status !== 200 || !rpc.success) return refusal(asker, what, answer);
  const { result, error } = rpc.data;
  if (error !== undefined) return rpcError(asker, what, error);
  if (result === undefined) {
    // A stream that ends without its result was cut off, if politely.
    asker.tally.breakOff(`${what}: a stream without a result`, asker.marker);
    return AGAIN;
  }
  if (result.isError === true) return refusal(asker, what, { status: 0, text: result.content[0]?.text ?? "" });
  return { ok: true, body: result.structuredContent };
}

function refusal(asker: Asker, what: string, { status, text }: Raw): Asked {
  const body = parsed(text);
  const wire = WireError.safeParse(body);
  if (!wire.success) {
    const rpc = RpcAnswer.safeParse(body);
    if (rpc.success && rpc.data.error !== undefined) return rpcError(asker, what, rpc.data.error);
    asker.tally.count("unlisted", `${what}: ${text.slice(0, 200)}`);
    return AGAIN;
  }
  const { code, message } = wire.data.error;
  if (status !== 0 && ERRORS[code].http !== status) asker.tally.count("unlisted", `${what}: ${code}`);
  if (code === "internal_error") asker.tally.fail(`${what}: ${message}`, asker.marker);
  return ERRORS[code].retry && !/live payment links/.test(message) ? AGAIN : { ok: false, code, message };
}

function rpcError({ tally, marker }: Asker, what: string, { code, message }: { code: number; message: string }): Asked {
  if (!RPC_CODES.has(code)) tally.count("unlisted", `${what}: ${code} ${message}`);
  tally.fail(`${what}: ${message}`, marker);
  return AGAIN;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
