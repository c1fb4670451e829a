import type { LookupFunction } from "node:net";
import { dnsLookup, machineLookup, sharedLookup } from "./lookups.ts";
import { type Lookup, publicLookup } from "./public-address.ts";

/** `fetch`, or a replacement. */
export type Fetch = typeof globalThis.fetch;

/** What an address may lead to: `public` for those that people and strangers name, `any` for operators'. */
export type Reach = "public" | "any";

const CONNECT_MS = 10_000;

/** Look-ups by kind of work, each with limits of its own, so that a DNS that hangs for one does not delay the others. */
export const lookups = {
  /** Documents and keys that clients publish; anybody can register their addresses. */
  strangers: publicLookup(sharedLookup(dnsLookup())),
  erpOfPeople: publicLookup(sharedLookup(dnsLookup())),
  erpOfOperators: sharedLookup(machineLookup(), { concurrency: 8 }),
  payments: sharedLookup(machineLookup(), { concurrency: 8 }),
  issuers: sharedLookup(machineLookup(), { concurrency: 8 }),
} as const;

/** A look-up in the form that sockets take. */
export function socketLookup(find: Lookup): LookupFunction {
  return (hostname, { all }, callback) => {
    find(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (all === true) callback(null, addresses);
        else if (first === undefined) callback(new Error("no address"), "");
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error("the look-up failed"), ""),
    );
  };
}

/** A `fetch` that connects to the addresses `find` gave; a host that is an address itself it is not asked about. */
export function fetchBy(find: Lookup): Fetch {
  let dispatcher: NonNullable<RequestInit["dispatcher"]> | undefined;
  return (url, options) => {
    dispatcher ??= agentWith(find);
    return globalThis.fetch(url, { ...options, dispatcher });
  };
}

type Dispatcher = NonNullable<RequestInit["dispatcher"]>;
type Handler = Parameters<Dispatcher["dispatch"]>[1];

/** Node does not export the library behind `fetch`; its agent class is reached through the global dispatcher. */
function agentWith(find: Lookup): Dispatcher {
  // The library is loaded with the first of these.
  void globalThis.Response;
  const own: unknown =
    Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.2")) ??
    Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
  const Agent: unknown = typeof own === "object" && own !== null ? own.constructor : undefined;
  if (typeof Agent !== "function") throw new Error("this Node does not tell which agent fetch uses");
  const agent: Dispatcher = Reflect.construct(Agent, [
    { connect: { lookup: socketLookup(find), timeout: CONNECT_MS } },
  ]);
  return agent.compose((dispatch) => (options, handler) => dispatch(options, inLargePieces(handler)));
}

/** Pieces of an answer below this size, and answers before it (status 1xx): more of them than any server sends end it. */
const [SMALL_BYTES, MOST_SMALL, MOST_BEFORE] = [64, 16_384, 16];

/** The code of the error for an answer in too many small pieces. */
export const SMALL_PIECES = "ESMALLPIECES";

/** Each piece costs this process about as much as a large one. They are counted here, as readers are given many at once. */
function inLargePieces(handler: Handler): Handler {
  let [small, before] = [0, 0];
  const isTooMuch = () => small > MOST_SMALL || before > MOST_BEFORE;
  const tooMuch = () => Object.assign(new Error("the answer is in too many pieces"), { code: SMALL_PIECES });
  return {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart(controller, status, ...given) {
      if (status < 200) before += 1;
      if (isTooMuch()) controller.abort(tooMuch());
      handler.onResponseStart?.(controller, status, ...given);
    },
    onResponseData(controller, piece) {
      if (piece.byteLength < SMALL_BYTES) small += 1;
      if (isTooMuch()) controller.abort(tooMuch());
      handler.onResponseData?.(controller, piece);
    },
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  };
}

/** Reads an answer to its end; rejects above `maxBytes` after decompression. The caller's signal limits its time. */
export async function withinBytes(response: Response, maxBytes: number) {
  const { status, statusText, headers } = response;
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const kept = new Headers(headers);
  kept.delete("content-encoding");
  kept.delete("content-length");
  return new Response(Buffer.concat(chunks), { status, statusText, headers: kept });
}

/** A `fetch` whose answers are bounded in bytes. */
export function boundedFetch(fetch: Fetch, maxBytes: number): Fetch {
  return async (url, options) => withinBytes(await fetch(url, options), maxBytes);
}
