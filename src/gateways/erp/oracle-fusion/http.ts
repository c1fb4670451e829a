import { setTimeout as sleep } from "node:timers/promises";
import { TextDecoder } from "node:util";
import { ErpError } from "../gateway.ts";
import { parseLossless } from "../lossless-json.ts";
import { errorOfStatus, quotable, unusable } from "./errors.ts";

/** How requests are made; the defaults are {@link httpDefaults}. */
export interface HttpOptions {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** For one request, from sending it to the last byte of its answer. */
  readonly timeoutMs: number;
  /** How often a request that met 429 or 503 is sent again. */
  readonly maxRetries: number;
  /** The first wait where the ERP names none; doubled each time. */
  readonly retryDelayMs: number;
  /** An ERP that asks for a longer rest is left alone at once. */
  readonly maxRetryWaitMs: number;
  readonly maxResponseBytes: number;
  readonly now: () => Date;
}

/** Sensible for a tenant of Oracle's cloud. */
export const httpDefaults = {
  timeoutMs: 30_000,
  maxRetries: 3,
  retryDelayMs: 1_000,
  maxRetryWaitMs: 60_000,
  maxResponseBytes: 64 * 1024 * 1024,
  now: () => new Date(),
} as const satisfies Partial<HttpOptions>;

/** GETs a path; resolves to the parsed body, in which each number is the string of its digits. */
export type FusionHttp = (path: string, query: Record<string, string>, signal: AbortSignal) => Promise<unknown>;

const FRAMEWORK_VERSION = "4";
const MAX_ERROR_BYTES = 64 * 1024;

/** The HTTP side of the connector: authentication, timeouts, rests, size limits, and errors told apart. */
export function fusionHttp(options: HttpOptions): FusionHttp {
  const origin = checkedBase(options.baseUrl);
  const headers = {
    Authorization: `Basic ${Buffer.from(`${options.username}:${options.password}`, "utf8").toString("base64")}`,
    Accept: "application/json",
    "REST-Framework-Version": FRAMEWORK_VERSION,
  };

  async function once(url: string, signal: AbortSignal): Promise<Answer> {
    const timeout = AbortSignal.timeout(options.timeoutMs);
    try {
      const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.any([signal, timeout]) });
      const limit = response.ok ? options.maxResponseBytes : MAX_ERROR_BYTES;
      const body = await readBody(response, limit);
      return { status: response.status, body, retryAfter: response.headers.get("retry-after") };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ErpError) throw error;
      if (timeout.aborted) throw new ErpError("erp_unreachable", "The ERP did not answer in time.");
      throw new ErpError("erp_unreachable", "The ERP cannot be reached.", { detail: networkCode(error) });
    }
  }

  return async (path, query, signal) => {
    signal.throwIfAborted();
    const url = `${origin}${path}?${queryText(query)}`;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await once(url, signal);
      if (answer.status === 200) return parsed(answer.body);
      const asked = waitAsked(answer.retryAfter, options.now());
      const failure = errorOfStatus(answer.status, answer.body, asked === undefined ? asked : Math.ceil(asked / 1000));
      const wait = asked ?? options.retryDelayMs * 2 ** attempt;
      const busy = answer.status === 429 || answer.status === 503;
      if (!busy || attempt >= options.maxRetries || wait > options.maxRetryWaitMs) throw failure;
      await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | null;
}

function checkedBase(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !["https:", "http:"].includes(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new ErpError("erp_rejected", "The ERP's address is not a usable http or https address.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ErpError("erp_rejected", "The ERP's address must not contain a user name or password.");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Spaces as %20: a `+` means a space in some places of a server and a plus in others. */
function queryText(query: Record<string, string>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

/** Reads at most `limit` bytes: more is an error, or of an error answer not wanted. */
async function readBody(response: Response, limit: number): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: response.ok });
  let size = 0;
  let text = "";
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > limit) {
      if (response.ok) throw unusable(`it is larger than ${limit} bytes`);
      return text;
    }
    text += decoded(decoder, chunk);
  }
  return text + decoded(decoder);
}

function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw unusable("it is not UTF-8 text");
  }
}

function parsed(body: string): unknown {
  try {
    return parseLossless(body, (digits) => digits);
  } catch {
    throw unusable("it is not JSON", quotable(body.slice(0, 100)));
  }
}

/** The wait that Retry-After asks for in milliseconds: it holds seconds or a date. */
function waitAsked(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime());
}

/** The code alone: messages of the network library may hold the address. */
function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : "network error";
}
