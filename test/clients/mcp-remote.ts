import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { callTool } from "../support/assistant.ts";
import { Context, installedVersion, namesOf, type OtherClient, program } from "./client.ts";

/** mcp-remote, which stands between a client that knows only programs on its own machine and a server elsewhere. */
export const mcpRemote: OtherClient = {
  name: "mcp-remote",
  async check({ mcpUrl, environment }) {
    const args = [program("mcp-remote/dist/proxy.js"), mcpUrl, "--transport", "http-only", "--auth-timeout", "120"];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...environment },
      stderr: "pipe",
    });
    let said = "";
    transport.stderr?.on("data", (chunk) => {
      said += String(chunk);
    });
    const client = new Client({ name: "behind-mcp-remote", version: "1.0.0" });
    try {
      await client.connect(transport, { timeout: 120_000 });
      const tools = namesOf(await client.listTools());
      const context = Context.parse(await callTool(client, "get_context"));
      return { version: installedVersion("mcp-remote"), tools, context };
    } catch (error) {
      throw new Error(`mcp-remote said:\n${said}`, { cause: error });
    } finally {
      await client.close();
    }
  },
};
