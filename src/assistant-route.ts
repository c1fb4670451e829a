import type { TokenVerifier } from "../auth/access-token.ts";
import { furtherRequests } from "../auth/assistant-request-limits.ts";
import { bearerAuthentication } from "../auth/bearer.ts";
import { bearerChallenges } from "../auth/challenges.ts";
import { tools } from "../tools/index.ts";
import { INSTRUCTIONS } from "../tools/instructions.ts";
import type { Config } from "./config.ts";
import type { AssistantActor } from "./core/gate/actor.ts";
import type { Core } from "./core/gate/dependencies.ts";
import { serverInfo } from "./listing/manifest.ts";
import { dispatcher } from "./mcp/dispatch.ts";
import { mcpEndpoint } from "./mcp/endpoint.ts";
import { ICONS } from "./mcp/icons.ts";
import type { OpenCalls } from "./mcp/open-calls.ts";
import type { McpCaller } from "./mcp/post.ts";
import { receivablesFeatures } from "./mcp/receivables.ts";
import { mcpMethods } from "./mcp/server.ts";
import { toolSteering } from "./mcp/tool-feature.ts";
import { keptViews } from "./mcp/views/documents.ts";

interface AssistantParts {
  verifyAccessToken: TokenVerifier;
  openCalls: OpenCalls<McpCaller<AssistantActor>>;
  /** The description of the REST API. */
  openApi: () => string;
}

/** The handler of `/mcp`: the MCP server behind bearer authentication. */
export function assistantRoute(config: Config, core: Core, { verifyAccessToken, openCalls, openApi }: AssistantParts) {
  const { publicUrl: publicOrigin, rateLimits: limited } = config;
  const views = keptViews(core.log);
  const methods = mcpMethods<McpCaller<AssistantActor>>({
    serverInfo: { ...serverInfo(config), icons: ICONS },
    instructions: INSTRUCTIONS,
    tools,
    views,
    features: receivablesFeatures({ core, tools, openApi, views }),
    log: core.log,
    call: (tool, { actor }, args, request) =>
      tool.call(actor, args, { core, ...request, steering: toolSteering(tools, tool, actor) }),
  });
  const authenticate = bearerAuthentication({ core, publicOrigin, verifyAccessToken, limited });
  return mcpEndpoint({
    dispatch: dispatcher(methods, core.log),
    openCalls,
    authenticate(request, response) {
      core.store.assertHearing();
      return authenticate(request, response);
    },
    charge: furtherRequests({ core, limited }),
    challenges: bearerChallenges(publicOrigin),
    publicOrigin,
    log: core.log,
  });
}
