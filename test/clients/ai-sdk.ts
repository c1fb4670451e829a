import { auth, createMCPClient } from "@ai-sdk/mcp";
import { TestOAuthProvider } from "../support/assistant.ts";
import { CallResult, installedVersion, namesOf, type OtherClient } from "./client.ts";

/** The AI SDK's client, which has the protocol and the authorization from its own hand. */
export const aiSdk: OtherClient = {
  name: "@ai-sdk/mcp",
  async check({ mcpUrl, approve }) {
    const authProvider = new TestOAuthProvider();
    if ((await auth(authProvider, { serverUrl: mcpUrl })) !== "REDIRECT" || authProvider.authorizationUrl === undefined)
      throw new Error("the client did not send its person anywhere");
    const authorizationCode = await approve(authProvider.authorizationUrl);
    await auth(authProvider, { serverUrl: mcpUrl, authorizationCode });
    const client = await createMCPClient({ transport: { type: "http", url: mcpUrl, authProvider } });
    const tools = namesOf(await client.listTools());
    const called = CallResult.parse(await client.callTool({ name: "get_context", arguments: {} }));
    await client.close();
    return { version: installedVersion("@ai-sdk/mcp"), tools, context: called.structuredContent };
  },
};
