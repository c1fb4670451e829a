import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { certificateProblem } from "../../../certificate-problem.ts";
import { type OutsideCall, outsideCalls } from "../../../signals.ts";
import { type Fetch, fetchBy, lookups, MOSTLY_PACKING, type Reach, TOO_LARGE } from "../../outgoing.ts";
import { type Lookup, NOT_PUBLIC } from "../../public-address.ts";
import { ERP_BOUNDS } from "../bounds.ts";
import { ErpError } from "../gateway.ts";
import { errorOfStatus, unusable } from "./errors.ts";
import { parsedBody, readFusionBody } from "./http-body.ts";

/** How requests are made; the defaults are {@link httpDefaults}. */
export interface HttpOptions {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** What the address may lead to, checked at every connection. */
  readonly reach: Reach;
  /** Resolves names; by default the look-ups of that reach. */
  readonly lookup?: Lookup;
  /** For one request, from sending it to the last byte of its answer. */
  readonly timeoutMs: number;
  /** How often a read that met 429 or 503 is sent again. */
  readonly maxRetries: number;
  /** The first wait where the ERP names none; doubled each time. */
  readonly retryDelayMs: number;
  /** A request whose ERP asks for a longer wait fails at once. */
  readonly maxRetryWaitMs: number;
  /** Of an answer after decompression. */
  readonly maxResponseBytes: number;
  readonly now: () => Date;
}

/** Sensible for a tenant of Oracle's cloud. */
export const httpDefaults = {
  reach: "any",
  timeoutMs: ERP_BOUNDS.secondsOfRequest * 1_000,
  maxRetries: 3,
  retryDelayMs: 1_000,
  maxRetryWaitMs: 60_000,
  maxResponseBytes: ERP_BOUNDS.bytesOfAnswer,
  now: () => new Date(),
} as const satisfies Partial<HttpOptions>;

/** A body to send; numbers that must keep their digits are `JSON.rawJSON`. */
interface Posting {
  readonly contentType: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Requests to Fusion. In a parsed body each number is the string of its digits. */
export interface FusionHttp {
  /** Resolves to the parsed body. Sent again where the ERP is busy. */
  get(path: string, query: Record<string, string>, signal: AbortSignal): Promise<unknown>;
  /** Sends once, as Fusion knows no idempotency key. FusionRejection: not done; ErpError tells whether it may be. */
  post<T>(path: string, posting: Posting, toResult: (body: unknown) => T, signal: AbortSignal): Promise<T>;
}

const FRAMEWORK_VERSION = "4";
/** What is said of answers that are not read to their end, by the code of the error. */
const UNREAD: Readonly<Record<string, string>> = {
  [MOSTLY_PACKING]: "it holds far more bytes than data",
  [TOO_LARGE]: `it is larger than ${ERP_BOUNDS.bytesOfAnswer} bytes`,
};
/** Codes of connections that were never made: nothing was sent. */
const NOT_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ETIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]);

/** One for each reach: connections to an ERP are kept open over many connectors. */
const FETCHES: Readonly<Record<Reach, Fetch>> = {
  public: fetchBy(lookups.erpOfPeople),
  any: fetchBy(lookups.erpOfOperators),
};

/** The HTTP side of the connector: authentication, timeouts, retries, size limits, kinds of errors. */
export function fusionHttp(options: HttpOptions): FusionHttp {
  const origin = checkedBase(options.baseUrl, options.reach);
  const token = Buffer.from(`${options.username}:${options.password}`, "utf8").toString("base64");
  const withoutCredentials = redaction([token, options.password]);
  const send = sender(options, token);
  const refusal = ({ status, body }: Answer) => errorOfStatus({ status, body: body.text }, withoutCredentials);

  return {
    async get(path, query, signal) {
      signal.throwIfAborted();
      const url = `${origin}${path}?${queryText(query)}`;
      for (let attempt = 0; ; attempt += 1) {
        const answer = await send(url, signal);
        if (isSuccess(answer)) return parsedBody(answer.body);
        const wait = answer.wait ?? options.retryDelayMs * 2 ** attempt;
        const busy = answer.status === 429 || answer.status === 503;
        if (!busy || attempt >= options.maxRetries || wait > options.maxRetryWaitMs) throw refusal(answer);
        await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    },

    async post(path, posting, toResult, signal) {
      signal.throwIfAborted();
      const answer = await send(`${origin}${path}`, signal, posting);
      const { status } = answer;
      if (status >= 400 && status < 500) throw refusal(answer);
      try {
        if (!isSuccess(answer)) throw refusal(answer);
        return toResult(await parsedBody(answer.body));
      } catch (error) {
        throw error instanceof ErpError ? error.afterSending() : error;
      }
    },
  };
}

/** Sends one request and reads its answer; a posting makes it a write. */
type Send = (url: string, signal: AbortSignal, posting?: Posting) => Promise<Answer>;

function sender(options: HttpOptions, token: string): Send {
  const fetch = options.lookup === undefined ? FETCHES[options.reach] : fetchBy(options.lookup);
  const headers = {
    Authorization: `Basic ${token}`,
    Accept: "application/json",
    "REST-Framework-Version": FRAMEWORK_VERSION,
  };

  const send: Send = async (url, signal, posting) => {
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const writes = posting !== undefined;
    try {
      const response = await fetch(url, {
        ...(writes ? { method: "POST", body: JSON.stringify(posting.body) } : {}),
        headers: { ...headers, ...(writes ? { "Content-Type": posting.contentType } : {}) },
        redirect: "manual",
        signal: AbortSignal.any([signal, timeout]),
      });
      const body = await readFusionBody(response, options.maxResponseBytes);
      return { status: response.status, body, wait: waitAsked(response.headers.get("retry-after"), options.now()) };
    } catch (error) {
      signal.throwIfAborted();
      const detail = networkCode(error);
      const words = UNREAD[detail];
      const known = words === undefined ? error : unusable(words);
      if (known instanceof ErpError) throw writes ? known.afterSending() : known;
      if (timeout.aborted) throw new ErpError("erp_unreachable", { code: "no_answer" }, { outcomeUnknown: writes });
      if (detail === NOT_PUBLIC) throw new ErpError("erp_rejected", { code: "leads_inside" });
      const certificate = certificateProblem(error);
      if (certificate !== null)
        throw new ErpError("erp_unreachable", { code: "certificate", problem: certificate }, { detail });
      const outcomeUnknown = writes && !NOT_CONNECTED.has(detail);
      throw new ErpError("erp_unreachable", { code: "not_reached" }, { detail, outcomeUnknown });
    }
  };

  return (url, signal, posting) => {
    const told: OutsideCall = { system: "erp", operation: posting === undefined ? "read" : "write", outcome: "ok" };
    return outsideCalls.during(told, async () => {
      const answer = await send(url, signal, posting);
      if (answer.status >= 400) told.outcome = String(answer.status);
      return answer;
    });
  };
}

interface Answer {
  readonly status: number;
  readonly body: Awaited<ReturnType<typeof readFusionBody>>;
  /** Milliseconds that the ERP asked to wait. */
  readonly wait: number | undefined;
}

/** By its status; its form then tells whether it is the ERP's. */
const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;

/** Shorter passwords may be ordinary words and are not redacted. */
const LEAST_SECRET = 4;

function redaction(credentials: readonly string[]) {
  const spelt = credentials.flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one)]);
  const secrets = [...new Set(spelt)].filter((one) => one.length >= LEAST_SECRET);
  return (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
}

function checkedBase(baseUrl: string, reach: Reach) {
  const url = URL.parse(baseUrl);
  if (url === null || !["https:", "http:"].includes(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new ErpError("erp_rejected", { code: "no_address" });
  }
  if (url.username !== "" || url.password !== "") {
    throw new ErpError("erp_rejected", { code: "secret_in_address" });
  }
  if (reach === "public" && isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0)
    throw new ErpError("erp_rejected", { code: "leads_inside" });
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Spaces as %20: a `+` is a space to some parts of a server and a plus to others. */
const queryText = (query: Record<string, string>) => new URLSearchParams(query).toString().replaceAll("+", "%20");

/** The wait that Retry-After asks for in milliseconds: it holds seconds or a date. */
function waitAsked(header: string | null, now: Date) {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime());
}

/** Only the code: messages of the network library may hold the address. */
function networkCode(error: unknown) {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : "network error";
}
