import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type {
  CallToolResult,
  Implementation,
  JSONRPCRequest,
  ListToolsResult,
} from "@modelcontextprotocol/sdk/types.js";
import { mayCall, type Tool } from "../../tools/tool.ts";
import type { Actor } from "../core/actor.ts";
import type { Log } from "../core/core.ts";
import { asServiceError } from "../core/error.ts";
import { withJson } from "./outcome.ts";
import type { McpCaller } from "./post.ts";
import { RPC, RpcError } from "./refusal.ts";
import type { McpTransport } from "./transport.ts";

/** One tool call as the protocol knows it. */
export interface ToolRequest {
  readonly requestId: string;
  /** Aborted when the client cancels the call or the connection is revoked. */
  readonly signal: AbortSignal;
}

export interface McpServerOptions<Caller extends McpCaller<Actor>> {
  transport: McpTransport<Caller>;
  serverInfo: Implementation;
  /** What every assistant is told before it calls anything. */
  instructions: string;
  /** In the order in which they are listed. */
  tools: readonly Tool[];
  /** Runs a tool for a caller; what it throws becomes a tool error of service.md §7. */
  call: (tool: Tool, caller: Caller, args: Readonly<Record<string, unknown>>, request: ToolRequest) => Promise<object>;
  log: Log;
}

/**
 * Builds the one server of this process and connects it to `transport`. It offers tools and nothing else, and answers
 * each call from what the call brings, so it serves any number of clients at once.
 */
export async function createMcpServer<Caller extends McpCaller<Actor>>(
  options: McpServerOptions<Caller>,
): Promise<Server> {
  const { transport, serverInfo, instructions, log } = options;
  const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions });
  const list = toolList(options.tools);
  const call = toolCall(options);
  server.onerror = (error) => log.error({ err: error }, "MCP server error");
  // Handlers registered by schema would be parsed once more by the SDK, which answers what it cannot parse as internal.
  server.fallbackRequestHandler = async (request, extra) => {
    const { caller, requestId } = transport.contextOf(extra);
    if (request.method === "tools/list") return list(caller.actor, request.params);
    if (request.method === "tools/call") return call(caller, request.params, { requestId, signal: extra.signal });
    throw new RpcError(RPC.methodNotFound, "Method not found");
  };
  await server.connect(transport);
  return server;
}

type Params = JSONRPCRequest["params"];

/** tools/list: only what the actor may call now (completions §3), serialised once for each such set. */
function toolList(tools: readonly Tool[]): (actor: Actor, params: Params) => ListToolsResult {
  const lists = new Map<string, ListToolsResult>();
  return (actor, params) => {
    const cursor = params?.cursor ?? null;
    if (cursor !== null) throw new RpcError(RPC.invalidParams, "Invalid cursor: the list has one page.");
    const callable = tools.filter((tool) => mayCall(actor, tool));
    const key = callable.map(({ name }) => name).join(" ");
    const known = lists.get(key);
    if (known) return known;
    const list = { tools: callable.map(listed) };
    lists.set(key, withJson(list, JSON.stringify(list)));
    return list;
  };
}

function listed({ name, title, description, input, output, annotations }: Tool): ListToolsResult["tools"][number] {
  return { name, title, description, inputSchema: input, outputSchema: output, annotations };
}

/** tools/call: an unknown tool is a protocol error, all else a result, failed calls too (completions §3). */
function toolCall<Caller extends McpCaller<Actor>>({ tools, call, log }: McpServerOptions<Caller>) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return async (caller: Caller, params: Params, request: ToolRequest): Promise<CallToolResult> => {
    const args = params?.arguments ?? {};
    if (typeof params?.name !== "string")
      throw new RpcError(RPC.invalidParams, "Invalid params: name must be a string.");
    if (!isRecord(args)) throw new RpcError(RPC.invalidParams, "Invalid params: arguments must be an object.");
    const tool = byName.get(params.name);
    if (tool === undefined) throw new RpcError(RPC.invalidParams, "Unknown tool: tools/list names those there are.");
    const fields = { request_id: request.requestId, connection_id: caller.key, tool: tool.name };
    try {
      const result = succeeded(await call(tool, caller, args, request));
      log.info({ ...fields, outcome: "ok" }, "tool call");
      return result;
    } catch (error) {
      const failure = asServiceError(error);
      if (failure.code === "internal_error" && !request.signal.aborted) {
        log.error(
          { ...fields, err: failure.cause ?? failure, internal: failure.internal },
          "tool call failed unexpectedly",
        );
      }
      log.info({ ...fields, outcome: request.signal.aborted ? "aborted" : failure.code }, "tool call");
      return failed(JSON.stringify(failure.toWire(request.requestId)), failure.missingScope);
    }
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The output twice, as text and as data, for clients hand on one or the other; serialised once. */
function succeeded(output: object): CallToolResult {
  const text = JSON.stringify(output);
  const result: CallToolResult = { content: [{ type: "text", text }], structuredContent: { ...output } };
  return withJson(result, `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}}`);
}

/** Text alone: clients check `structuredContent` against the output schema, which describes success. */
function failed(text: string, missingScope: string | undefined): CallToolResult {
  const result: CallToolResult = { content: [{ type: "text", text }], isError: true };
  return withJson(result, JSON.stringify(result), missingScope);
}
