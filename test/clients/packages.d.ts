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

/** What is used of @langchain/mcp-adapters. */
declare module "@langchain/mcp-adapters" {
  import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";

  export class MultiServerMCPClient {
    constructor(servers: Record<string, { transport: "http"; url: string; authProvider: OAuthClientProvider }>);
    getTools(): Promise<{ name: string; invoke(args: Record<string, unknown>): Promise<unknown> }[]>;
    close(): Promise<void>;
  }
}

/** What is used of @google/gemini-cli-core. */
declare module "@google/gemini-cli-core" {
  export function connectToMcpServer(
    clientVersion: string,
    serverName: string,
    server: { httpUrl: string; oauth: OAuthSettings },
    debug: boolean,
    workspace: { getDirectories(): string[]; onDirectoriesChanged(): () => void },
    settings: { sanitizationConfig: object; emitMcpDiagnostic(): void; isTrustedFolder(): boolean },
  ): Promise<{
    listTools(): Promise<{ tools: unknown[] }>;
    callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
    close(): Promise<void>;
  }>;

  interface OAuthSettings {
    enabled: boolean;
    scopes: string[];
  }
  export class MCPOAuthProvider {
    authenticate(serverName: string, settings: OAuthSettings, mcpServerUrl: string): Promise<unknown>;
  }

  interface Credentials {
    token: { expiresAt?: number };
  }
  export class MCPOAuthTokenStorage {
    getCredentials(serverName: string): Promise<Credentials | null>;
    setCredentials(credentials: Credentials): Promise<void>;
  }
}
