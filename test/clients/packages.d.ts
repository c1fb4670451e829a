/** What is used of @ai-sdk/mcp, so that types can be checked where it is not installed. */
declare module "@ai-sdk/mcp" {
  import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";

  export function auth(
    provider: OAuthClientProvider,
    options: { serverUrl: string; authorizationCode?: string },
  ): Promise<"AUTHORIZED" | "REDIRECT">;

  export function createMCPClient(options: {
    transport: { type: "http"; url: string; authProvider: OAuthClientProvider };
  }): Promise<{
    listTools(): Promise<unknown>;
    callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
    close(): Promise<void>;
  }>;
}
