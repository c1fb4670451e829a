import { subscribe } from "node:diagnostics_channel";
import { type LookupFunction, Socket } from "node:net";
import { Agent, type Dispatcher, fetch } from "undici";
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

/**
 * A `fetch` that connects to the addresses `find` gave; a host that is an address itself it is not asked about. An answer
 * of more than `mostBytes`, as they are sent, is an error.
 */
export function fetchBy(find: Lookup, mostBytes = MOST_BYTES): Fetch {
  const agent = new Agent({
    // Over HTTP/2 answers share a socket, whose bytes would not be theirs.
    allowH2: false,
    connect: { lookup: socketLookup(find), timeout: CONNECT_MS },
    maxResponseSize: mostBytes,
  });
  return async (url, options) => {
    const rest: Rest = { end: () => undefined };
    const dispatcher = agent.compose((dispatch) => (request, handler) => dispatch(request, endable(handler, rest)));
    try {
      const response = await fetch(url, { ...options, dispatcher });
      rests.set(response, rest);
      // What follows where `fetch` takes no body, as at 205, no reader is handed.
      if (response.body === null) rest.end();
      return packedOnce(response);
    } catch (error) {
      rest.end();
      throw error;
    }
  };
}

/** The part of an answer that nobody reads: bytes after a packed one, or all of it where `fetch` refuses it. */
interface Rest {
  /** Ends the connection, unless the answer has ended. */
  end(): void;
}
const rests = new WeakMap<Response, Rest>();

/** The same handler, with a {@link Rest}. At 421 `fetch` would send the request again: that is an error here. */
function endable(handler: Dispatcher.DispatchHandler, rest: Rest): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller, ...given) {
      rest.end = () => controller.abort(new Error("the rest is not read"));
      handler.onRequestStart?.(controller, ...given);
    },
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart(controller, status, ...given) {
      if (status === 421) controller.abort(new Error("the server answered 421"));
      else handler.onResponseStart?.(controller, status, ...given);
    },
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  };
}

/** The pieces of an answer, unpacked. When the reader stops, so does an answer that goes on. */
export async function* piecesOf(response: Response) {
  try {
    if (response.body !== null) yield* response.body;
  } finally {
    rests.get(response)?.end();
  }
}

/** No reader takes more, not even unpacked. */
const MOST_BYTES = 17 * 1024 * 1024;

/** Of an answer's bytes, how many may be no data of its body; the system and the parser hold some that are not read yet. */
const MOST_BESIDE = 256 * 1024;
/** What each piece of data counts as beside it: that of a small TLS record is not among the socket's bytes. */
const OF_PIECE = 16;
const LOOK_MS = 20;

/** The code of the error for an answer whose bytes are hardly data, or are packed several times over. */
export const MOSTLY_PACKING = "EMOSTLYPACKING";
/** That for one of too many bytes. */
export const TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";

const mostlyPacking = () =>
  Object.assign(new Error("the answer holds far more bytes than data"), { code: MOSTLY_PACKING });

/** Answers under way, by their requests in the library behind `fetch`. */
const answers = new WeakMap<object, { data: number; pieces: number; readonly looking: NodeJS.Timeout }>();

const answerOf = (message: object) =>
  "request" in message && typeof message.request === "object" && message.request !== null
    ? answers.get(message.request)
    : undefined;

// Endless heads, small chunks or their extensions cost as much as data, and no reader is handed them: they are told by the wire.
subscribe("undici:client:sendHeaders", (message) => {
  if (!isSent(message)) return;
  const { request, socket } = message;
  const before = socket.bytesRead;
  const look = () => {
    const beside = socket.bytesRead - before + OF_PIECE * answer.pieces - 2 * answer.data;
    if (beside > MOST_BESIDE) socket.destroy(mostlyPacking());
  };
  const answer = { data: 0, pieces: 0, looking: setInterval(look, LOOK_MS).unref() };
  answers.set(request, answer);
});
subscribe("undici:request:bodyChunkReceived", (message) => {
  const answer = isObject(message) && answerOf(message);
  if (!answer || !("chunk" in message) || !Buffer.isBuffer(message.chunk)) return;
  answer.data += message.chunk.byteLength;
  answer.pieces += 1;
});
for (const end of ["trailers", "error"])
  subscribe(`undici:request:${end}`, (message) => {
    if (isObject(message)) clearInterval(answerOf(message)?.looking);
  });

const isObject = (message: unknown): message is object => typeof message === "object" && message !== null;

const isSent = (message: unknown): message is { request: object; socket: Socket } =>
  isObject(message) && "request" in message && "socket" in message && message.socket instanceof Socket;

/** An answer that is packed once at most: each further time costs as much, and may hold nothing. */
async function packedOnce(response: Response) {
  if (!response.headers.get("content-encoding")?.includes(",")) return response;
  rests.get(response)?.end();
  throw new TypeError("fetch failed", { cause: mostlyPacking() });
}

/** Reads an answer to its end; rejects above `maxBytes` after decompression. The caller's signal limits its time. */
export async function withinBytes(response: Response, maxBytes: number) {
  const { status, statusText, headers } = response;
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of piecesOf(response)) {
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
