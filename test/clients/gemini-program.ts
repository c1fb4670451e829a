/**
 * `node gemini-program.ts URL sign-in|use|expire`: the public core of Gemini's CLI, in a process of its own as it opens a
 * browser by PATH and keeps tokens below HOME. Its settings name scopes, one of them not ours: it asks for them, and again at
 * each refresh.
 */
import { connectToMcpServer, MCPOAuthProvider, MCPOAuthTokenStorage } from "@google/gemini-cli-core";

const [mcpUrl = "", act = ""] = process.argv.slice(2);
const NAME = "receivables";
const oauth = { enabled: true, scopes: ["openid", "receivables:read"] };

/** What its command `/mcp auth` does. */
async function signIn(): Promise<void> {
  await new MCPOAuthProvider().authenticate(NAME, { ...oauth }, mcpUrl);
}

async function use(): Promise<void> {
  const config = { httpUrl: mcpUrl, oauth };
  const workspace = { getDirectories: () => [], onDirectoriesChanged: () => () => undefined };
  const client = await connectToMcpServer("1.0.0", NAME, config, false, workspace, {
    sanitizationConfig: {},
    emitMcpDiagnostic: () => undefined,
    isTrustedFolder: () => true,
  });
  const { tools } = await client.listTools();
  const called = await client.callTool({ name: "get_context", arguments: {} });
  await client.close();
  process.stdout.write(`\nREPORT ${JSON.stringify({ tools, called })}\n`);
}

async function expire(): Promise<void> {
  const storage = new MCPOAuthTokenStorage();
  const kept = await storage.getCredentials(NAME);
  if (kept === null) throw new Error("no credentials are kept");
  await storage.setCredentials({ ...kept, token: { ...kept.token, expiresAt: Date.now() - 1 } });
}

const acts: Record<string, () => Promise<void>> = { "sign-in": signIn, use, expire };
await acts[act]?.();
process.exit(0);
