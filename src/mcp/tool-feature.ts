import type { ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
import { mayCall, type Tool } from "../../tools/tool.ts";
import type { Actor } from "../core/gate/actor.ts";
import type { Log } from "../core/gate/dependencies.ts";
import { asServiceError } from "../core/kernel/error.ts";
import { inertJson } from "../core/kernel/inert-json.ts";
import { elsewhereIn, type Steering } from "../core/kernel/steering.ts";
import {
  type Feature,
  JsonResult,
  type Method,
  objectParam,
  type RpcCall,
  refuseCursor,
  textParam,
} from "./feature.ts";
import type { Params } from "./message.ts";
import type { McpCaller } from "./post.ts";
import { RPC, RpcError } from "./protocol-error.ts";
import type { Views } from "./views/documents.ts";

export interface ToolOptions<Caller extends McpCaller<Actor>> {
  /** In the order in which they are listed. */
  tools: readonly Tool[];
  /** Runs a tool for a caller; errors become tool errors (service.md §7). */
  call: (tool: Tool, caller: Caller, args: Params, request: RpcCall) => Promise<object>;
  log: Log;
  /** The views that show results in clients that have them; none without it. */
  views?: Views;
}

/** `tools/list` and `tools/call`. */
export function toolFeature<Caller extends McpCaller<Actor>>(options: ToolOptions<Caller>): Feature<Caller> {
  return {
    capabilities: { tools: {} },
    methods: { "tools/list": toolList(options), "tools/call": toolCall(options) },
  };
}

/** tools/list: the tools that the actor may call now (completions §3), serialised once for each such set. */
function toolList({ tools, views }: Pick<ToolOptions<McpCaller<Actor>>, "tools" | "views">): Method<McpCaller<Actor>> {
  const lists = new Map<string, JsonResult>();
  return async ({ actor }, params, { showsViews }) => {
    refuseCursor(params);
    const callable = tools.filter((tool) => mayCall(actor, tool));
    const shown = (showsViews && (await views?.())) || NO_VIEWS;
    const key = [...[...shown.values()].map(({ uri }) => uri), ...callable.map(({ name }) => name)].join(" ");
    const known = lists.get(key);
    if (known) return known;
    const list = new JsonResult(
      JSON.stringify({ tools: callable.map((tool) => ({ ...listed(tool), ...viewMeta(tool, shown) })) }),
    );
    lists.set(key, list);
    return list;
  };
}

const NO_VIEWS: Awaited<ReturnType<Views>> = new Map();

/** The address of the tool's view, where the client is shown it. */
function viewMeta({ view }: Tool, shown: typeof NO_VIEWS): Pick<ListToolsResult["tools"][number], "_meta"> {
  const document = view && shown.get(view);
  return document === undefined ? {} : { _meta: { ui: { resourceUri: document.uri } } };
}

/** The title twice: clients of 2025-03-26 read it from the annotations only. */
function listed({ name, title, description, input, output, annotations }: Tool): ListToolsResult["tools"][number] {
  return { name, title, description, inputSchema: input, outputSchema: output, annotations: { title, ...annotations } };
}

/** tools/call: an unknown tool is a protocol error; failed calls are results (completions §3). */
function toolCall<Caller extends McpCaller<Actor>>({ tools, call, log }: ToolOptions<Caller>): Method<Caller> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return async (caller, params, request) => {
    const name = textParam(params, "name");
    const args = objectParam(params, "arguments", { optional: true });
    const tool = byName.get(name);
    if (tool === undefined) throw new RpcError(RPC.invalidParams, "Unknown tool: tools/list names those there are.");
    request.told.tool = tool.name;
    const fields = { request_id: request.requestId, connection_id: caller.key, tool: tool.name };
    try {
      const result = succeeded(await call(tool, caller, args, request));
      log.info({ ...fields, outcome: "ok" }, "mcp.tool_call");
      return result;
    } catch (error) {
      const failure = asServiceError(error);
      if (failure.code === "internal_error" && !request.signal.aborted) {
        const more = { ...fields, internal: failure.internal };
        log.error({ ...more, err: failure.cause ?? failure }, "mcp.tool_call_failed");
      }
      request.told.outcome = request.signal.aborted ? "aborted" : failure.code;
      log.info({ ...fields, outcome: request.told.outcome }, "mcp.tool_call");
      // Text only: clients check `structuredContent` against the output schema, which describes success.
      const text = inertJson(JSON.stringify(failure.toWire(request.requestId)));
      return new JsonResult(JSON.stringify({ content: [{ type: "text", text }], isError: true }), failure);
    }
  };
}

/** The output as text and as data, because clients pass on one or the other; serialised once. Only text is shown as Markdown. */
function succeeded(output: object) {
  const json = JSON.stringify(output);
  const text = JSON.stringify(inertJson(json));
  return new JsonResult(`{"content":[{"type":"text","text":${text}}],"structuredContent":${json}}`);
}

/** Names the right tool to an assistant that called the wrong one, among the tools it may call. */
export function toolSteering(tools: readonly Tool[], { name, input }: Tool, actor: Actor): Steering {
  return {
    also: Object.keys(input.properties),
    elsewhere(field, near) {
      const others = tools
        .filter((tool) => tool.name !== name && mayCall(actor, tool))
        .map((tool) => ({ name: tool.name, fields: Object.keys(tool.input.properties) }));
      return elsewhereIn(others)(field, near);
    },
  };
}
