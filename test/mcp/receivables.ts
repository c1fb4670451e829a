import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { AssistantActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { PRODUCT } from "../../src/listing/manifest.ts";
import { ICONS } from "../../src/mcp/icons.ts";
import { receivablesFeatures } from "../../src/mcp/receivables.ts";
import { mcpMethods } from "../../src/mcp/server.ts";
import { keptViews, type Views } from "../../src/mcp/views/documents.ts";
import { VIEW_MIME_TYPE, VIEWS_EXTENSION } from "../../src/mcp/views/session.ts";
import { openApiText } from "../../src/rest/openapi/document.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { tools as allTools } from "../../tools/index.ts";
import { INSTRUCTIONS } from "../../tools/instructions.ts";
import type { Tool } from "../../tools/tool.ts";
import { memoryLog, startEndpoint } from "./support.ts";

/** What a test may have otherwise than the service. */
interface Varied {
  views?: Views;
  tools?: readonly Tool[];
}

/** The assistant route as the service composes it, on a core of the test's; bearer tokens are names given to {@link as}. */
export async function openAssistantRoute(
  core: Core,
  { views = keptViews(memoryLog().log), tools = allTools }: Varied = {},
) {
  const actors = new Map<string, AssistantActor>();
  const openApi = openApiText(ROUTES, "https://receivables.example.test");
  const endpoint = await startEndpoint(
    mcpMethods({
      serverInfo: { ...PRODUCT, icons: ICONS },
      instructions: INSTRUCTIONS,
      tools,
      views,
      features: receivablesFeatures({ core, tools, openApi, views }),
      call: (tool, { actor }, args, request) => tool.call(actor, args, { core, ...request }),
      log: memoryLog().log,
    }),
    {
      authenticate: async (req) => {
        const actor = actors.get(req.headers.authorization?.replace("Bearer ", "") ?? "");
        return actor === undefined ? null : { key: actor.connectionId, actor };
      },
    },
  );
  const clients: Client[] = [];
  return {
    url: endpoint.url,
    /** The official client, acting as that member; as an application that shows views, where asked. */
    async as(actor: AssistantActor, { showsViews = false } = {}): Promise<Client> {
      const token = `${actor.connectionId}-${actors.size}`;
      actors.set(token, actor);
      const extensions = { [VIEWS_EXTENSION]: { mimeTypes: [VIEW_MIME_TYPE] } };
      const capabilities = showsViews ? { extensions } : {};
      const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url), { requestInit }));
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) await client.close();
      await endpoint.close();
    },
  };
}
