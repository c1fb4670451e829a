import { z } from "zod";
import type { Actor } from "../core/gate/actor.ts";
import type { Log } from "../core/gate/dependencies.ts";
import type { CallProgress } from "../core/gate/run-context.ts";
import { asServiceError, isOutage, ServiceError } from "../core/kernel/error.ts";
import { type CallersTrace, rpcCalls } from "../signals.ts";
import { JsonResult, type Method, type RpcCall } from "./feature.ts";
import { type Body, isRpcId, type Params, type RpcId, type RpcRequest } from "./message.ts";
import type { McpCaller, Post } from "./post.ts";
import { RPC, RpcError } from "./protocol-error.ts";

/** What of the params is the protocol's own, and no method's. */
const Meta = z.looseObject({
  _meta: z.looseObject({ progressToken: z.union([z.string(), z.int()]).optional() }).optional(),
});

/** A request in progress. */
interface Call<Caller> {
  readonly id: RpcId;
  readonly post: Post<Caller>;
  readonly stop: AbortController;
}

/** Carries out the messages of a POST, which is answered as they end. */
export type Dispatch<Caller> = (post: Post<Caller>, body: Body) => void;

/** Calls the methods for all clients of this process; no state is kept between two POSTs. */
export function dispatcher<Caller extends McpCaller<Actor>>(
  methods: ReadonlyMap<string, Method<Caller>>,
  log: Pick<Log, "error">,
): Dispatch<Caller> {
  const { callsAt, begin, isOpen, end } = openRequests<Caller>();

  const stop = (call: Call<Caller>) => {
    if (end(call)) call.stop.abort();
  };

  /** Cancels the caller's request of that id; none where several have it. */
  function cancel(caller: Caller, id: unknown) {
    const [call, another] = (isRpcId(id) && callsAt(caller, id)) || [];
    if (call === undefined || another !== undefined) return;
    stop(call);
    call.post.skip();
  }

  async function carryOut(call: Call<Caller>, request: RpcRequest) {
    try {
      const result = await resultOf(methods, call, request, () => isOpen(call));
      const json = result instanceof JsonResult ? result.json : JSON.stringify(result);
      if (end(call)) succeed(call, json, result instanceof JsonResult ? result.failure : undefined);
    } catch (error) {
      if (end(call)) fail(call, error, log);
    }
  }

  return (post, { batch, messages }) => {
    const answers = messages.filter(({ kind }) => kind === "request" || kind === "invalid").length;
    if (answers === 0) post.accept();
    else post.expect(answers, batch);
    const calls: Call<Caller>[] = [];
    post.abandon = () => calls.forEach(stop);
    for (const message of messages) {
      if (message.kind === "request") {
        const call = begin(post, message.id);
        calls.push(call);
        void carryOut(call, message);
      } else if (message.kind === "invalid")
        post.answer(errorResponse(null, RPC.invalidRequest, "Not a JSON-RPC 2.0 message."));
      else if (message.kind === "notification" && message.method === "notifications/cancelled")
        cancel(post.caller, message.params?.requestId);
    }
  };
}

/** The requests in progress, by connection and id; several where clients share a connection. */
function openRequests<Caller extends McpCaller>() {
  const open = new Map<string, Set<Call<Caller>>>();
  const keyOf = ({ key }: Caller, id: RpcId) => JSON.stringify([key, id]);
  const callsAt = (caller: Caller, id: RpcId) => open.get(keyOf(caller, id));
  return {
    callsAt,
    isOpen: (call: Call<Caller>) => callsAt(call.post.caller, call.id)?.has(call) ?? false,
    begin(post: Post<Caller>, id: RpcId) {
      const call = { id, post, stop: new AbortController() };
      open.set(keyOf(post.caller, id), (callsAt(post.caller, id) ?? new Set()).add(call));
      return call;
    },
    /** False where it had ended. */
    end(call: Call<Caller>) {
      const calls = callsAt(call.post.caller, call.id);
      const wasOpen = calls?.delete(call) ?? false;
      if (calls?.size === 0) open.delete(keyOf(call.post.caller, call.id));
      return wasOpen;
    },
  };
}

async function resultOf<Caller extends McpCaller<Actor>>(
  methods: ReadonlyMap<string, Method<Caller>>,
  { post, stop }: Call<Caller>,
  { method: name, params: given }: RpcRequest,
  isOpen: () => boolean,
) {
  const { success, data: params } = Meta.safeParse(given ?? {});
  if (!success) throw new RpcError(RPC.invalidParams, "Invalid params");
  const method = methods.get(name);
  if (method === undefined) throw new RpcError(RPC.methodNotFound, "Method not found");
  const { caller, requestId, showsViews } = post;
  const told: RpcCall["told"] = { method: name, tool: null, outcome: "ok", ...traceOf(params._meta) };
  const notify: RpcCall["notify"] = (notification, about) => {
    if (isOpen()) post.notify(JSON.stringify({ method: notification, params: about, jsonrpc: "2.0" }));
  };
  const context: RpcCall = {
    ...{ requestId, showsViews, signal: stop.signal, told, notify },
    beginSession: (id) => post.beginSession(id),
    ...progressOf(params._meta?.progressToken, notify),
  };
  return rpcCalls.during(told, async () => method(caller, params, context));
}

const UNEXPECTED = new RpcError(RPC.internalError, "Internal error");

/** Where the store is missing, a single call is refused; an unexpected error only the log is told. */
function fail<Caller>({ id, post }: Call<Caller>, error: unknown, log: Pick<Log, "error">) {
  const failure = asServiceError(error);
  if (isOutage(failure) && post.giveUp(failure)) return;
  const { code, message, data } = asRpcError(error) ?? UNEXPECTED;
  if (code === RPC.internalError) log.error({ request_id: post.requestId, err: error }, "mcp.server_error");
  post.answer(errorResponse(id, code, message, data));
}

/** A single call without a scope that it needs, or without the store, is refused as a whole. */
function succeed<Caller>({ id, post }: Call<Caller>, json: string, failure: ServiceError | undefined) {
  const { missingScope, retryAfterSeconds } = failure ?? {};
  if (missingScope !== undefined && post.stepUp(missingScope)) return;
  if (failure !== undefined && isOutage(failure) && post.giveUp(failure)) return;
  if (retryAfterSeconds !== undefined) post.retryAfter(retryAfterSeconds);
  post.answer(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`);
}

/** A failure of the caller's as a JSON-RPC error, for methods whose results cannot express it; null for any other. */
function asRpcError(error: unknown) {
  if (error instanceof RpcError) return error;
  if (!(error instanceof ServiceError) || error.code === "internal_error") return null;
  const details = error.details?.map(({ field, message }) => ` ${field}: ${message}.`).join("") ?? "";
  return new RpcError(RPC.invalidParams, `${error.message}${details}`);
}

function errorResponse(id: RpcId | null, code: number, message: string, data?: object) {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/** Longer values are neither W3C Trace Context nor baggage worth storing. */
const LONGEST_TRACE = 512;

/** The trace that a request says it is part of, and its baggage (SEP-414). */
function traceOf(meta: Params | undefined): CallersTrace {
  const text = (value: unknown) => (typeof value === "string" && value.length <= LONGEST_TRACE ? value : undefined);
  const baggage = text(meta?.baggage);
  return meta?.traceparent === undefined
    ? { baggage }
    : { traceparent: text(meta.traceparent), tracestate: text(meta.tracestate), baggage };
}

/** Sends progress that increases to a client that asked for it with a token. */
function progressOf(progressToken: string | number | undefined, notify: RpcCall["notify"]) {
  if (progressToken === undefined) return {};
  let sent = Number.NEGATIVE_INFINITY;
  const onProgress = ({ done: progress, total, message }: CallProgress) => {
    if (progress <= sent) return;
    sent = progress;
    notify("notifications/progress", { progressToken, progress, total, message });
  };
  return { onProgress };
}
