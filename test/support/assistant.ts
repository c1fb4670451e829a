import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { CallToolResultSchema, type ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import { Browser } from "./browser.ts";
import { REDIRECT_URI } from "./oauth-client.ts";

/** Takes a person from the authorization address through sign-in and consent; gives the code their client gets. */
export type Approve = (authorizationUrl: URL) => Promise<string>;

/** Approves over plain HTTP forms, as a browser without JavaScript would; with every permission there is to tick, or those of `ticks`. */
export function approveByForms(
  origin: string,
  person: { email: string; password: string; workspace?: string; ticks?: string },
  browser = new Browser(origin),
): Approve {
  return async (url) => {
    let page = await browser.open(url.href);
    const { email, password, workspace, ticks = null } = person;
    if (page.html.includes(">Sign in</button>")) page = await browser.submit(page, "Sign in", { email, password });
    const chosen = workspace === undefined ? {} : { workspace };
    const answer = await browser.submit(page, "Allow", { ...chosen, ...page.ticking(ticks) });
    const code = answer.left?.searchParams.get("code");
    if (typeof code !== "string") throw new Error(`no code: ${answer.status} ${answer.left?.href ?? answer.text}`);
    return code;
  };
}

/** What an assistant keeps of its connection, and how it asks for one. */
export class TestOAuthProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata: OAuthClientMetadata;
  client: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  authorizationUrl: URL | undefined;
  #verifier = "";

  constructor(clientName = "SDK assistant", { refreshes = true } = {}) {
    this.clientMetadata = {
      client_name: clientName,
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", ...(refreshes ? ["refresh_token"] : [])],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.client;
  }
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.client = client;
  }
  tokens(): OAuthTokens | undefined {
    return this.kept;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens;
  }
  /** From now on its access token is refused, as an expired one is. */
  expire(): void {
    if (this.kept !== undefined) this.kept = { ...this.kept, access_token: "expired" };
  }
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

/** The official client, connected with tokens of its own getting; `statuses` are the answers it met, in order. */
export interface Assistant {
  client: Client;
  provider: TestOAuthProvider;
  statuses: number[];
  close(): Promise<void>;
}

/** Drives the official SDK client through the whole flow, as an assistant that knows nothing but the address. */
export async function connectAssistant(
  mcpUrl: string,
  approve: Approve,
  who?: string | TestOAuthProvider,
  capabilities: ClientCapabilities = {},
): Promise<Assistant> {
  const provider = who instanceof TestOAuthProvider ? who : new TestOAuthProvider(who);
  const statuses: number[] = [];
  const open = () =>
    new StreamableHTTPClientTransport(new URL(mcpUrl), {
      authProvider: provider,
      async fetch(url, init) {
        const response = await fetch(url, init);
        if (String(url) === mcpUrl) statuses.push(response.status);
        return response;
      },
    });
  const first = open();
  const refused = await new Client({ name: "test", version: "1.0.0" }).connect(first).then(
    () => false,
    () => true,
  );
  if (!refused || provider.authorizationUrl === undefined) throw new Error("the server let a stranger in");
  await first.finishAuth(await approve(provider.authorizationUrl));
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  await client.connect(open());
  return { client, provider, statuses, close: () => client.close() };
}

/** A tool's structured result; throws the error object's text where the call failed. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
  const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (result.isError === true || result.structuredContent === undefined) throw new Error(text);
  if (JSON.stringify(result.structuredContent) !== JSON.stringify(JSON.parse(text)))
    throw new Error("text and data differ");
  return result.structuredContent;
}
