import { TestOAuthProvider } from "../support/assistant.ts";
import { CallResult, followLife, installedVersion, namesOf, type OtherClient } from "./client.ts";

type ClientModule = typeof import("@modelcontextprotocol/sdk/client/index.js");
type TransportModule = typeof import("@modelcontextprotocol/sdk/client/streamableHttp.js");

/** The official SDK as applications still ship it: from before protected-resource metadata were settled, and after. */
export const sdkEarlier: OtherClient[] = ["1.12", "1.15", "1.20"].map((line) => ({
  name: `@modelcontextprotocol/sdk ${line}`,
  async check(around) {
    const { mcpUrl, approve } = around;
    const { Client }: ClientModule = await import(`sdk-${line}/client/index.js`);
    const { StreamableHTTPClientTransport }: TransportModule = await import(`sdk-${line}/client/streamableHttp.js`);
    const authProvider = new TestOAuthProvider(`SDK ${line}`);
    const open = () => new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider });
    const report = await followLife(around, {
      async connect() {
        const first = open();
        await new Client({ name: "test", version: "1.0.0" }).connect(first).catch(() => undefined);
        if (authProvider.authorizationUrl === undefined) throw new Error("the client did not send its person anywhere");
        await first.finishAuth(await approve(authProvider.authorizationUrl));
      },
      async use() {
        const client = new Client({ name: "test", version: "1.0.0" });
        await client.connect(open());
        const tools = namesOf(await client.listTools());
        const called = CallResult.parse(await client.callTool({ name: "get_context", arguments: {} }));
        await client.close();
        return { tools, context: called.structuredContent };
      },
      expire: () => authProvider.expire(),
    });
    return { version: installedVersion(`sdk-${line}`), ...report };
  },
}));
