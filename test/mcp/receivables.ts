import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { AssistantActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { ICONS } from "../../src/mcp/icons.ts";
import { receivablesFeatures } from "../../src/mcp/receivables.ts";
import { createMcpServer } from "../../src/mcp/server.ts";
import { openApiText } from "../../src/rest/openapi/document.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { tools } from "../../tools/index.ts";
import { INSTRUCTIONS } from "../../tools/instructions.ts";
import { SERVER_INFO } from "../../well-known/server-manifest.ts";
import { memoryLog, startEndpoint } from "./support.ts";

/** The assistant route as the service composes it, on a core of the test's; bearer tokens are names given to {@link as}. */
export async function openAssistantRoute(core: Core) {
  const actors = new Map<string, AssistantActor>();
  const openApi = openApiText(ROUTES, "https://receivables.example.test");
  const endpoint = await startEndpoint(
    (transport) =>
      createMcpServer({
        transport,
        serverInfo: { ...SERVER_INFO, icons: ICONS },
        instructions: INSTRUCTIONS,
        tools,
        features: receivablesFeatures({ core, tools, openApi }),
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
    /** The official client, acting as that member. */
    async as(actor: AssistantActor): Promise<Client> {
      const token = `${actor.connectionId}-${actors.size}`;
      actors.set(token, actor);
      const client = new Client({ name: "test", version: "1.0.0" });
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
