import {
  type Implementation,
  InitializeRequestSchema,
  type ServerCapabilities,
} from "@modelcontextprotocol/sdk/types.js";
import type { Actor } from "../core/gate/actor.ts";
import type { Feature, Method } from "./feature.ts";
import type { McpCaller } from "./post.ts";
import { RPC, RpcError } from "./protocol-error.ts";
import { negotiate } from "./protocol-version.ts";
import { type ToolOptions, toolFeature } from "./tool-feature.ts";
import { announcesViews, newViewsSession, VIEWS_EXTENSION } from "./views/session.ts";

interface McpServerOptions<Caller extends McpCaller<Actor>> extends ToolOptions<Caller> {
  serverInfo: Implementation;
  /** The instructions that every assistant gets on `initialize`. */
  instructions: string;
  /** Capabilities besides tools. */
  features?: readonly Feature<Caller>[];
}

/** All methods of the assistant route. */
export function mcpMethods<Caller extends McpCaller<Actor>>(
  options: McpServerOptions<Caller>,
): ReadonlyMap<string, Method<Caller>> {
  const { serverInfo, instructions } = options;
  const features = [toolFeature(options), ...(options.features ?? [])];
  const capabilities: ServerCapabilities = Object.assign({}, ...features.map((feature) => feature.capabilities));
  const initialize: Method<Caller> = (_, params, call) => {
    const { data } = InitializeRequestSchema.safeParse({ method: "initialize", params });
    if (data === undefined) throw new RpcError(RPC.invalidParams, "Invalid params");
    const protocolVersion = negotiate(data.params.protocolVersion);
    if (!announcesViews(data.params.capabilities)) return { protocolVersion, capabilities, serverInfo, instructions };
    call.beginSession(newViewsSession());
    const extended = { ...capabilities, extensions: { [VIEWS_EXTENSION]: {} } };
    return { protocolVersion, capabilities: extended, serverInfo, instructions };
  };
  const own: [string, Method<Caller>][] = [
    ["initialize", initialize],
    ["ping", () => ({})],
  ];
  return new Map([...own, ...features.flatMap((feature) => Object.entries(feature.methods))]);
}
