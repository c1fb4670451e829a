import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { Browser, type BrowserPage } from "./browser.ts";

/** Where the test's client is answered; nobody listens there. */
export const REDIRECT_URI = "http://127.0.0.1:9/callback";

const TokenAnswer = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  token_type: z.string(),
  expires_in: z.int(),
  scope: z.string(),
});

export type Tokens = z.infer<typeof TokenAnswer>;

/** How a client of an authorization server stands: registered, and what it can prove. */
export interface RegisteredClient {
  clientId: string;
  clientSecret?: string | undefined;
}

/** Registers a client; the answer as it came. */
export function postRegistration(
  origin: string,
  metadata: object,
  { headers: more = {} }: { headers?: Record<string, string> } = {},
): Promise<Response> {
  const headers = { "content-type": "application/json", ...more };
  return fetch(`${origin}/oauth/register`, { method: "POST", headers, body: JSON.stringify(metadata) });
}

/** Registers a public client. */
export async function register(origin: string, metadata: object = {}): Promise<RegisteredClient> {
  const response = await postRegistration(origin, {
    client_name: "Test assistant",
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: "none",
    ...metadata,
  });
  const answer = z
    .looseObject({ client_id: z.string(), client_secret: z.string().optional() })
    .parse(await response.json());
  return { clientId: answer.client_id, clientSecret: answer.client_secret };
}

/** A PKCE pair (RFC 7636, S256). */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The address of an authorization request; a null parameter is left out. */
export function authorizationUrl(
  origin: string,
  { clientId }: RegisteredClient,
  challenge: string,
  params: Record<string, string | null> = {},
): string {
  const url = new URL(`${origin}/oauth/authorize`);
  const all = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "state-of-the-test",
    resource: `${origin}/mcp`,
    ...params,
  };
  for (const [name, value] of Object.entries(all)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}

/** Sends a token request; the answer as it came. */
export function postToken(
  origin: string,
  { clientId, clientSecret }: RegisteredClient,
  params: Record<string, string>,
): Promise<Response> {
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
  const body = new URLSearchParams({ client_id: clientId, ...secret, ...params });
  return fetch(`${origin}/oauth/token`, { method: "POST", body });
}

/** Redeems a code. */
export async function redeem(
  origin: string,
  client: RegisteredClient,
  code: { code: string; verifier: string; redirectUri?: string },
): Promise<Tokens> {
  const response = await postToken(origin, client, {
    grant_type: "authorization_code",
    code: code.code,
    code_verifier: code.verifier,
    redirect_uri: code.redirectUri ?? REDIRECT_URI,
    resource: `${origin}/mcp`,
  });
  return readTokens(response);
}

/** The tokens of a token answer; throws for a refusal. */
export async function readTokens(response: Response): Promise<Tokens> {
  return TokenAnswer.parse(await response.json());
}

/** Refreshes; the answer as it came. */
export function refresh(
  origin: string,
  client: RegisteredClient,
  refreshToken: string,
  params = {},
): Promise<Response> {
  return postToken(origin, client, { grant_type: "refresh_token", refresh_token: refreshToken, ...params });
}

/** Who approves, and what. */
export interface ApprovalOptions {
  email: string;
  password: string;
  /** Chosen where the person has several; its id. */
  workspace?: string;
  /** Space-separated: what is asked for and ticked; null asks for none in particular, and ticks all there is. */
  scope?: string | null;
  client?: RegisteredClient;
  browser?: Browser;
  params?: Record<string, string | null>;
}

export interface Approved {
  client: RegisteredClient;
  tokens: Tokens;
  accessToken: string;
  refreshToken: string;
  browser: Browser;
}

/** Opens an authorization request and signs in where asked: the page with the question. */
export async function openConsent(
  origin: string,
  { email, password, browser = new Browser(origin) }: Pick<ApprovalOptions, "email" | "password" | "browser">,
  url: string,
): Promise<BrowserPage> {
  const page = await browser.open(url);
  if (!page.html.includes(">Sign in</button>")) return page;
  return browser.submit(page, "Sign in", { email, password });
}

/** The whole way of an assistant to its tokens: register, sign in, allow, redeem. Throws where the way ends early. */
export async function signInAndApprove(origin: string, options: ApprovalOptions): Promise<Approved> {
  const { browser = new Browser(origin), workspace, scope = null } = options;
  const client = options.client ?? (await register(origin));
  const { verifier, challenge } = pkce();
  const url = authorizationUrl(origin, client, challenge, { scope, ...options.params });
  const consent = await openConsent(origin, { ...options, browser }, url);
  const chosen = workspace === undefined ? {} : { workspace };
  const answer = await browser.submit(consent, "Allow", { ...chosen, ...consent.ticking(scope) });
  const code = answer.left?.searchParams.get("code");
  if (code === null || code === undefined)
    throw new Error(`no code: ${answer.status} ${answer.left?.href ?? answer.text.slice(0, 300)}`);
  const redirectUri = options.params?.redirect_uri ?? REDIRECT_URI;
  const tokens = await redeem(origin, client, { code, verifier, redirectUri });
  return { client, tokens, accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? "", browser };
}

/** Calls the resource with a token; further headers and a query as given. */
export function callMcp(
  origin: string,
  accessToken: string | null,
  { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const authorization = accessToken === null ? {} : { authorization: `Bearer ${accessToken}` };
  return fetch(`${origin}/mcp${query}`, { method: "POST", headers: { ...authorization, ...headers } });
}

/** Sends the service at an address a JSON-RPC request of a revision. */
export function askMcp(mcpUrl: string, accessToken: string, method: string, params?: object, revision = "2025-06-18") {
  return fetch(mcpUrl, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${accessToken}`, accept: "application/json, text/event-stream" },
      ...{ "content-type": "application/json", "mcp-protocol-version": revision },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

const Caller = z.looseObject({
  key: z.string(),
  actor: z.looseObject({ tenantId: z.string(), memberId: z.string(), role: z.string(), scopes: z.array(z.string()) }),
});

/** Who the resource says called; throws for a refusal. */
export async function callerOf(response: Response): Promise<z.infer<typeof Caller>> {
  return Caller.parse(await response.json());
}
