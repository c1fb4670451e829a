import { invalidRequest } from "./protocol-error.ts";
import { HEADERLESS_VERSION, type ProtocolVersion } from "./protocol-version.ts";

/** A JSON-RPC request id as a client chose it: `1` and `"1"` are different ids. */
export type RpcId = string | number;

export type Params = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RpcId;
  readonly method: string;
  /** Undefined when absent; `"malformed"` when it is not an object, which answers -32602. */
  readonly params: Params | "malformed" | undefined;
}

/** One JSON-RPC message as received. Responses are accepted and dropped, because we send no requests. */
type Incoming =
  | RpcRequest
  | { readonly kind: "notification"; readonly method: string; readonly params: Params | undefined }
  | { readonly kind: "response" }
  | { readonly kind: "invalid" };

/** One POST body. */
export interface Body {
  readonly batch: boolean;
  readonly messages: readonly Incoming[];
}

function isObject(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value can be the id of a request: a string or an integer that a double holds exactly. */
export function isRpcId(value: unknown): value is RpcId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function classify(value: unknown): Incoming {
  if (!isObject(value) || value.jsonrpc !== "2.0") return { kind: "invalid" };
  if (value.method === undefined) return isResponse(value) ? { kind: "response" } : { kind: "invalid" };
  if (typeof value.method !== "string") return { kind: "invalid" };
  const params = value.params ?? undefined;
  const wellFormed = params === undefined || isObject(params);
  if (!("id" in value)) {
    return wellFormed ? { kind: "notification", method: value.method, params } : { kind: "invalid" };
  }
  if (!isRpcId(value.id)) return { kind: "invalid" };
  return { kind: "request", id: value.id, method: value.method, params: wellFormed ? params : "malformed" };
}

function isResponse(value: Params) {
  if (isObject(value.result)) return isRpcId(value.id);
  return isObject(value.error) && (isRpcId(value.id) || value.id === undefined || value.id === null);
}

/**
 * Methods by which a revision is agreed on, under a header that may name a newer one: some clients name theirs with
 * `initialize`, and those of 2026-07-28 first ask `server/discover`, which has to be unknown here so that they fall back.
 */
const NEGOTIATION: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

/** Messages in one batch. */
const MAX_BATCH = 20;

/** Reads one message or, for 2025-03-26, a batch. Throws ProtocolError 400 (-32600) for what the revision refuses. */
export function readMessages(json: unknown, version: () => ProtocolVersion): Body {
  if (!Array.isArray(json)) {
    const message = classify(json);
    if (message.kind === "invalid")
      throw invalidRequest("The body is not a JSON-RPC 2.0 request, notification or response.");
    if (message.kind !== "request" || !NEGOTIATION.has(message.method)) version();
    return { batch: false, messages: [message] };
  }
  if (version() !== HEADERLESS_VERSION) {
    throw invalidRequest(`Batches exist in protocol version ${HEADERLESS_VERSION} only; send one message.`);
  }
  if (json.length === 0) throw invalidRequest("A batch holds at least one message.");
  if (json.length > MAX_BATCH) throw invalidRequest(`A batch holds at most ${MAX_BATCH} messages.`);
  const messages = json.map(classify);
  refuseWholeBatch(messages);
  return { batch: true, messages };
}

function refuseWholeBatch(messages: readonly Incoming[]) {
  const seen = new Set<RpcId>();
  for (const message of messages) {
    if (message.kind !== "request") continue;
    if (message.method === "initialize") throw invalidRequest("initialize cannot be part of a batch.");
    if (seen.has(message.id))
      throw invalidRequest(`Two requests of the batch have the id ${JSON.stringify(message.id)}.`);
    seen.add(message.id);
  }
}
