import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { setUps } from "./web/account/connect-assistant.ts";

interface Summary extends Pick<Config, "publicUrl" | "dataDir" | "demo"> {
  /** The demo's first login, at its first start only. */
  login?: { email: string; password: string; workspace: string; role: string } | null;
}

/** What to ask an assistant first, in the demo as in a book of one's own. */
export const FIRST_QUESTIONS = [
  "What is overdue, and who owes most of it?",
  "Which customers have become slower to pay, and what do they owe?",
  "What needs somebody's attention today?",
] as const;

/** The summary on stdout once the service is ready (contract.md). */
export function startSummary({ publicUrl, dataDir, demo, login = null }: Summary) {
  const credentials = join(dataDir, "demo.json");
  const mcpUrl = `${publicUrl}/mcp`;
  const commands = setUps(mcpUrl).flatMap(({ name, command }) => (command === undefined ? [] : [{ name, command }]));
  const lines = [
    "The receivables assistant server is ready.",
    "",
    `  Assistants (MCP)   ${mcpUrl}`,
    `  Systems (REST)     ${publicUrl}/v1, described at ${publicUrl}/docs`,
    `  Sign in            ${publicUrl}/signin`,
    ...(demo && existsSync(credentials) ? [`  Credentials        ${credentials}`] : []),
    ...(login === null
      ? []
      : [`  Demo login         ${login.email}  ${login.password}  (${login.role} of ${login.workspace})`]),
    "",
    "Connect an assistant:",
    ...commands.map(({ name, command }) => `  ${name.padEnd(12)}  ${command}`),
    `Or open ${mcpUrl} in a browser.`,
    ...(login === null ? [] : ["", "Then ask it:", ...FIRST_QUESTIONS.map((question) => `  ${question}`)]),
    "",
  ];
  return `${lines.join("\n")}\n`;
}
