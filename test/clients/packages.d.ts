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

/** What is used of @modelcontextprotocol/client. */
declare module "@modelcontextprotocol/client" {
  import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";

  export class StreamableHTTPClientTransport {
    constructor(url: URL, options: { authProvider: OAuthClientProvider; fetch: typeof fetch });
    finishAuth(answer: URLSearchParams): Promise<void>;
  }

  export class Client {
    constructor(info: { name: string; version: string }, options: { versionNegotiation: { mode: "auto" } });
    connect(transport: StreamableHTTPClientTransport): Promise<void>;
    listTools(): Promise<unknown>;
    callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
    getNegotiatedProtocolVersion(): string | undefined;
    close(): Promise<void>;
  }
}
