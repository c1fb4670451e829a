import { join } from "node:path";
import { callTool, connectAssistant } from "../support/assistant.ts";
import { Context, installedVersion, namesOf, type OtherClient } from "./client.ts";

const OWN_PACKAGES = join(import.meta.dirname, "../../node_modules");

/** The official TypeScript SDK's client, at the version the service itself is built on. */
export const sdk: OtherClient = {
  name: "@modelcontextprotocol/sdk",
  async check({ mcpUrl, approve }) {
    const { client, close } = await connectAssistant(mcpUrl, approve);
    const tools = namesOf(await client.listTools());
    const context = Context.parse(await callTool(client, "get_context"));
    await close();
    return { version: installedVersion("@modelcontextprotocol/sdk", OWN_PACKAGES), tools, context };
  },
};
