import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type Implementation,
  InitializeRequestSchema,
  type InitializeResult,
  type ServerCapabilities,
  type ServerNotification,
} from "@modelcontextprotocol/sdk/types.js";
import type { Actor } from "../core/gate/actor.ts";
import type { CallProgress } from "../core/gate/run-context.ts";
import { type CallersTrace, rpcCalls } from "../signals.ts";
import { asRpcError, type Feature, type Method, type RpcCall } from "./feature.ts";
import type { McpCaller } from "./post.ts";
import { RPC, RpcError } from "./protocol-error.ts";
import type { McpTransport } from "./sdk-transport.ts";
import { type ToolOptions, toolFeature } from "./tool-feature.ts";
import { announcesViews, newViewsSession, VIEWS_EXTENSION } from "./views/session.ts";

interface McpServerOptions<Caller extends McpCaller<Actor>> extends ToolOptions<Caller> {
  transport: McpTransport<Caller>;
  serverInfo: Implementation;
  /** The instructions that every assistant gets on `initialize`. */
  instructions: string;
  /** Capabilities besides tools. */
  features?: readonly Feature<Caller>[];
}

/** Connects the MCP server of this process to `transport`; without state between calls it serves all clients. */
export async function createMcpServer<Caller extends McpCaller<Actor>>(
  options: McpServerOptions<Caller>,
): Promise<Server> {
  const { transport, serverInfo, instructions, log } = options;
  const features = [toolFeature(options), ...(options.features ?? [])];
  const capabilities: ServerCapabilities = Object.assign({}, ...features.map((feature) => feature.capabilities));
  const methods = new Map<string, Method<Caller>>(features.flatMap((feature) => Object.entries(feature.methods)));
  const server = new Server(serverInfo, { capabilities, instructions });
  server.onerror = (error) => log.error({ err: error }, "mcp.server_error");
  // The SDK's own answer is the same for every client.
  server.setRequestHandler(InitializeRequestSchema, ({ params }, extra): InitializeResult => {
    const { protocolVersion } = params;
    if (!announcesViews(params.capabilities)) return { protocolVersion, capabilities, serverInfo, instructions };
    transport.contextOf(extra).beginSession(newViewsSession());
    const extended = { ...capabilities, extensions: { [VIEWS_EXTENSION]: {} } };
    return { protocolVersion, capabilities: extended, serverInfo, instructions };
  });
  // The SDK would parse params again for handlers registered by schema, and answer parse errors as internal errors.
  server.fallbackRequestHandler = async ({ method: name, params = {} }, extra) => {
    const method = methods.get(name);
    if (method === undefined) throw new RpcError(RPC.methodNotFound, "Method not found");
    const { caller, requestId, showsViews } = transport.contextOf(extra);
    const onProgress = progressTo(params._meta?.progressToken, extra.sendNotification);
    const told: RpcCall["told"] = { method: name, tool: null, outcome: "ok", ...traceOf(params._meta) };
    const progress = onProgress === null ? {} : { onProgress };
    const call: RpcCall = { requestId, showsViews, signal: extra.signal, told, ...progress };
    try {
      return await rpcCalls.during(told, async () => method(caller, params, call));
    } catch (error) {
      throw asRpcError(error);
    }
  };
  await server.connect(transport);
  return server;
}

/** Longer values are neither W3C Trace Context nor baggage worth storing. */
const LONGEST_TRACE = 512;

/** The trace that a request says it is part of, and its baggage (SEP-414). */
function traceOf(meta: Readonly<Record<string, unknown>> | undefined): CallersTrace {
  const text = (value: unknown) => (typeof value === "string" && value.length <= LONGEST_TRACE ? value : undefined);
  const baggage = text(meta?.baggage);
  return meta?.traceparent === undefined
    ? { baggage }
    : { traceparent: text(meta.traceparent), tracestate: text(meta.tracestate), baggage };
}

/** Sends progress to a client that asked for it with a token, else null; errors while sending are ignored. */
function progressTo(
  progressToken: unknown,
  send: (notification: ServerNotification) => Promise<void>,
): ((progress: CallProgress) => void) | null {
  if (typeof progressToken !== "string" && typeof progressToken !== "number") return null;
  return ({ done, total, message }) => {
    const params = { progressToken, progress: done, total, message };
    send({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
