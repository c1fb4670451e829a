import { join } from "node:path";
import type { Config } from "./config.ts";

/** What a person reads on stdout once the service is ready (contract.md). */
export function startSummary({ publicUrl, dataDir, demo }: Pick<Config, "publicUrl" | "dataDir" | "demo">): string {
  const mcpUrl = `${publicUrl}/mcp`;
  const editorEntry = JSON.stringify({ name: "receivables", type: "http", url: mcpUrl });
  const lines = [
    "The receivables assistant server is ready.",
    "",
    `  Assistants (MCP)   ${mcpUrl}`,
    `  Systems (REST)     ${publicUrl}/v1`,
    `  Sign in            ${publicUrl}/signin`,
    ...(demo ? [`  Credentials        ${join(dataDir, "demo.json")}`] : []),
    "",
    "Connect an assistant:",
    `  Claude Code   claude mcp add --transport http receivables ${mcpUrl}`,
    `  VS Code       code --add-mcp '${editorEntry}'`,
    `  Inspector     npx @modelcontextprotocol/inspector --cli ${mcpUrl} --transport http --method tools/list`,
    "",
  ];
  return `${lines.join("\n")}\n`;
}
