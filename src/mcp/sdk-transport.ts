import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  InitializeRequestSchema,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  JSONRPCRequestSchema,
  type MessageExtraInfo,
  RELATED_TASK_META_KEY,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { type Body, isRpcId, type Params, type RpcId, type RpcRequest } from "./message.ts";
import { outcomeOf } from "./outcome.ts";
import type { McpCaller, Post } from "./post.ts";
import { RPC } from "./protocol-error.ts";
import { negotiate } from "./protocol-version.ts";

/** Data of an error that is caused by an unavailable store (feature.ts). */
const OutageData = z.object({ retryAfterSeconds: z.number() });

/** A request in progress. */
interface Call<Caller> {
  /** The client's own id. */
  readonly id: RpcId;
  readonly post: Post<Caller>;
  /** The highest progress sent so far. */
  progress: number;
}

/** What is known of the POST that a request came in. */
type CallContext<Caller> = Pick<Post<Caller>, "caller" | "requestId" | "showsViews" | "beginSession">;

/** Carries all clients' messages to ONE SDK server, under ids of our own; no state is kept between two POSTs. */
export class McpTransport<Caller extends McpCaller> implements Transport {
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;

  readonly #calls = new Map<number, Call<Caller>>();
  readonly #internalIds = new Map<string, Set<number>>();
  readonly #contexts = new WeakMap<AuthInfo, CallContext<Caller>>();
  #lastId = 0;

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  /** The caller of the request in progress, from the `extra` that the SDK passes to handlers. */
  contextOf(extra: { authInfo?: AuthInfo | undefined }): CallContext<Caller> {
    const context = extra.authInfo && this.#contexts.get(extra.authInfo);
    if (context === undefined) throw new Error("A request that did not come through this transport.");
    return context;
  }

  /** Passes the messages of one POST to the server, which responds through {@link send}. */
  receive(post: Post<Caller>, body: Body): void {
    const answers = body.messages.filter(({ kind }) => kind === "request" || kind === "invalid").length;
    if (answers > 0) {
      post.expect(answers, body.batch);
      post.abandon = () => this.#abandon(post);
    }
    const authInfo: AuthInfo = { token: "", clientId: post.caller.key, scopes: [] };
    this.#contexts.set(authInfo, post);
    for (const message of body.messages) {
      if (message.kind === "request") this.#start(post, message, authInfo);
      else if (message.kind === "invalid")
        post.answer(errorResponse(null, RPC.invalidRequest, "Not a JSON-RPC 2.0 message."));
      else if (message.kind === "notification" && message.method === "notifications/cancelled") {
        this.#cancel(post.caller.key, message.params);
      }
    }
    if (answers === 0) post.accept();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ("method" in message) {
      if ("id" in message) throw new Error("This server asks nothing of its clients.");
      const call = this.#calls.get(Number(options?.relatedRequestId));
      if (call && advances(call, message)) call.post.notify(JSON.stringify(message));
      return;
    }
    const internalId = Number(message.id);
    const call = this.#calls.get(internalId);
    if (call === undefined) return;
    this.#forget(internalId, call);
    if ("error" in message) {
      this.#answerError(call, message.error);
      return;
    }
    const outcome = outcomeOf(message.result);
    if (outcome?.missingScope !== undefined && call.post.stepUp(outcome.missingScope)) return;
    if (outcome?.outage !== undefined && call.post.giveUp(outcome.outage, outcome.retryAfterSeconds)) return;
    if (outcome?.retryAfterSeconds !== undefined) call.post.retryAfter(outcome.retryAfterSeconds);
    try {
      const result = outcome?.json ?? JSON.stringify(message.result);
      call.post.answer(`{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":${result}}`);
    } catch (error) {
      this.#answerError(call, { code: RPC.internalError, message: String(error) });
    }
  }

  #start(post: Post<Caller>, message: RpcRequest, authInfo: AuthInfo): void {
    const internalId = ++this.#lastId;
    const request = internalRequest(internalId, message);
    if (request === null) {
      post.answer(errorResponse(message.id, RPC.invalidParams, "Invalid params"));
      return;
    }
    const call = { id: message.id, post, progress: Number.NEGATIVE_INFINITY };
    this.#calls.set(internalId, call);
    post.inFlight.add(internalId);
    const key = callKey(post.caller.key, message.id);
    const sameId = this.#internalIds.get(key);
    if (sameId) sameId.add(internalId);
    else this.#internalIds.set(key, new Set([internalId]));
    this.onmessage?.(request, { authInfo });
  }

  /** Cancels the caller's request of that id; none where several have it, as clients may share a connection. */
  #cancel(callerKey: string, params: Params | undefined): void {
    if (!isRpcId(params?.requestId)) return;
    const [internalId, another] = this.#internalIds.get(callKey(callerKey, params.requestId)) ?? [];
    const call = internalId === undefined ? undefined : this.#calls.get(internalId);
    if (internalId === undefined || another !== undefined || call === undefined) return;
    this.#forget(internalId, call);
    this.#abortHandler(internalId);
    call.post.skip();
  }

  #abandon(post: Post<Caller>): void {
    for (const internalId of [...post.inFlight]) {
      const call = this.#calls.get(internalId);
      if (call) this.#forget(internalId, call);
      this.#abortHandler(internalId);
    }
  }

  #abortHandler(internalId: number): void {
    this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: internalId } });
  }

  #forget(internalId: number, call: Call<Caller>): void {
    this.#calls.delete(internalId);
    call.post.inFlight.delete(internalId);
    const key = callKey(call.post.caller.key, call.id);
    const sameId = this.#internalIds.get(key);
    if (sameId?.delete(internalId) && sameId.size === 0) this.#internalIds.delete(key);
  }

  #answerError(call: Call<Caller>, error: { code: number; message: string; data?: unknown }): void {
    const outage = OutageData.safeParse(error.data);
    if (outage.success && call.post.giveUp(error.message, outage.data.retryAfterSeconds)) return;
    const unexpected = error.code === RPC.internalError;
    if (unexpected) this.onerror?.(new Error(`Request ${call.post.requestId} failed: ${error.message}`));
    const shown = unexpected ? { message: "Internal error" } : error;
    call.post.answer(errorResponse(call.id, error.code, shown.message, "data" in shown ? shown.data : undefined));
  }
}

/** Whether a notification may be sent: progress must increase, other notifications are unrestricted. */
function advances(call: { progress: number }, { method, params }: JSONRPCNotification): boolean {
  if (method !== "notifications/progress") return true;
  const progress = Number(params?.progress);
  if (!(progress > call.progress)) return false;
  call.progress = progress;
  return true;
}

function callKey(callerKey: string, id: RpcId): string {
  return JSON.stringify([callerKey, id]);
}

function errorResponse(id: RpcId | null, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/** The request under our own id; null when its params are not valid. */
function internalRequest(internalId: number, { method, params }: RpcRequest): JSONRPCRequest | null {
  if (params === "malformed") return null;
  const request = { jsonrpc: "2.0", id: internalId, method, ...(params && { params: ourParams(method, params) }) };
  // The SDK sends no response to a request that it cannot parse.
  const parsed = JSONRPCRequestSchema.safeParse(request);
  if (!parsed.success) return null;
  return method === "initialize" && !InitializeRequestSchema.safeParse(request).success ? null : parsed.data;
}

/** Params without those of later revisions (tasks), and with the negotiated version for `initialize`. */
function ourParams(method: string, { task: _, ...params }: Params): Params {
  const { _meta: meta, protocolVersion } = params;
  if (typeof meta === "object" && meta !== null && RELATED_TASK_META_KEY in meta) {
    const { [RELATED_TASK_META_KEY]: _related, ...rest } = meta;
    return ourParams(method, { ...params, _meta: rest });
  }
  if (method !== "initialize" || typeof protocolVersion !== "string") return params;
  return { ...params, protocolVersion: negotiate(protocolVersion) };
}
