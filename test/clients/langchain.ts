import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { z } from "zod";
import { TestOAuthProvider } from "../support/assistant.ts";
import { Context, followLife, installedVersion, type OtherClient } from "./client.ts";

const Text = z.looseObject({ text: z.string() });

/** LangChain's adapters, which make tools of an agent's of what a server has. */
export const langchain: OtherClient = {
  name: "@langchain/mcp-adapters",
  async check(around) {
    const { mcpUrl, approve } = around;
    const authProvider = new TestOAuthProvider("LangChain agent");
    const server = { transport: "http", url: mcpUrl, authProvider } as const;
    const report = await followLife(around, {
      async connect() {
        await new MultiServerMCPClient({ receivables: server }).getTools().catch(() => undefined);
        if (authProvider.authorizationUrl === undefined) throw new Error("the client did not send its person anywhere");
        const authorizationCode = await approve(authProvider.authorizationUrl);
        await auth(authProvider, { serverUrl: mcpUrl, authorizationCode });
      },
      async use() {
        const client = new MultiServerMCPClient({ receivables: server });
        const tools = await client.getTools();
        const answer = await tools.find(({ name }) => name === "get_context")?.invoke({});
        await client.close();
        return { tools: tools.map(({ name }) => name), context: Context.parse(JSON.parse(Text.parse(answer).text)) };
      },
      expire: () => authProvider.expire(),
    });
    return { version: installedVersion("@langchain/mcp-adapters"), ...report };
  },
};
