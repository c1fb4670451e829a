import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { setUps } from "./web/set-up.ts";

/** What a person reads on stdout once the service is ready (contract.md). */
export function startSummary({ publicUrl, dataDir, demo }: Pick<Config, "publicUrl" | "dataDir" | "demo">): string {
  const credentials = join(dataDir, "demo.json");
  const mcpUrl = `${publicUrl}/mcp`;
  const commands = setUps(mcpUrl).flatMap(({ name, command }) => (command === undefined ? [] : [{ name, command }]));
  const lines = [
    "The receivables assistant server is ready.",
    "",
    `  Assistants (MCP)   ${mcpUrl}`,
    `  Systems (REST)     ${publicUrl}/v1`,
    `  Sign in            ${publicUrl}/signin`,
    ...(demo && existsSync(credentials) ? [`  Credentials        ${credentials}`] : []),
    "",
    "Connect an assistant:",
    ...commands.map(({ name, command }) => `  ${name.padEnd(12)}  ${command}`),
    `Or open ${mcpUrl} in a browser.`,
    "",
  ];
  return `${lines.join("\n")}\n`;
}
