import { IncomingMessage } from "node:http";
import type { Request } from "express";
import type Provider from "oidc-provider";
import { parseScopes, SCOPES } from "../../src/core/gate/actor.ts";
import { OFFLINE_ACCESS, READ_SCOPE } from "../grantable-scopes.ts";

/** Parameters an authorization request may carry; others are OpenID Connect's, and the provider would reject some. */
const AUTHORIZATION_PARAMS = [
  "client_id",
  "code_challenge",
  "code_challenge_method",
  "login_hint",
  "prompt",
  "redirect_uri",
  "registration",
  "request",
  "request_uri",
  "resource",
  "response_type",
  "scope",
  "state",
];
const PROMPTS = new Set(["none", "login", "consent"]);

/** Where the provider keeps the scopes that a client asked for. */
export const ASKED_SCOPE = "asked_scope";

/**
 * Prepares an authorization request for the provider. It asks for all our scopes, because the person may grant others
 * than were asked for (RFC 6749 §3.3); those asked for are kept for the page. `resource` is normalized, and defaults to
 * ours, for clients of 2025-03-26.
 */
export function authorizationParams(given: URLSearchParams, resource: string): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of AUTHORIZATION_PARAMS) {
    for (const value of given.getAll(name)) params.append(name, value);
  }
  const asked = parseScopes(params.getAll("scope").join(" "));
  params.set("scope", SCOPES.join(" "));
  params.set(ASKED_SCOPE, scopesToAsk(asked).join(" "));
  canonicalise(params, resource);
  if (!params.has("resource")) params.set("resource", resource);
  cleanPrompt(params);
  return params;
}

/**
 * A token request as the provider takes it. A refresh that names scopes may ask again for what yields refresh tokens,
 * and always gets the one to read with others of ours.
 */
export function tokenParams(given: URLSearchParams, resource: string): URLSearchParams {
  const params = new URLSearchParams(given);
  const scope = params.get("scope");
  if (scope !== null) {
    const kept = scope.split(" ").filter((name) => name !== OFFLINE_ACCESS && name !== "");
    const needed = parseScopes(kept.join(" ")).length === 0 || kept.includes(READ_SCOPE) ? [] : [READ_SCOPE];
    if (kept.length === 0) params.delete("scope");
    else params.set("scope", [...needed, ...kept].join(" "));
  }
  canonicalise(params, resource);
  return params;
}

function scopesToAsk(asked: readonly string[]): readonly string[] {
  return SCOPES.filter((scope) => scope === READ_SCOPE || asked.includes(scope));
}

/** Normalises our resource; any other resource stays, and is refused. */
function canonicalise(params: URLSearchParams, resource: string): void {
  const named = params.getAll("resource");
  const spelled = new Set(named.map((name) => (isOurs(name, resource) ? resource : name)));
  params.delete("resource");
  for (const name of spelled) params.append("resource", name);
}

/** Some clients add a slash, or name the origin only. */
function isOurs(name: string, resource: string): boolean {
  const url = URL.parse(name);
  if (url === null || url.hash !== "" || url.search !== "") return false;
  const plain = url.href.replace(/\/$/, "");
  return plain === resource || plain === new URL(resource).origin;
}

/** `select_account` means signing in; unknown prompts are dropped. */
function cleanPrompt(params: URLSearchParams): void {
  const given = (params.get("prompt") ?? "").split(" ");
  const known = given.map((name) => (name === "select_account" ? "login" : name)).filter((name) => PROMPTS.has(name));
  if (known.length === 0) params.delete("prompt");
  else params.set("prompt", [...new Set(known)].join(" "));
}

/**
 * Real clients repeat, when they refresh, all scopes they once asked for, although the person granted fewer. They get
 * what was granted instead of an error that would end their connection; any other scope beyond the grant is still an
 * error.
 */
export async function refreshScopes(
  provider: Provider,
  params: URLSearchParams,
  resource: string,
): Promise<URLSearchParams> {
  const scope = params.get("scope");
  if (scope === null || params.get("grant_type") !== "refresh_token") return params;
  const token = await provider.RefreshToken.find(params.get("refresh_token") ?? "");
  if (token?.grantId === undefined) return params;
  const missing = scope.split(" ").filter((name) => !token.scopes.has(name));
  if (missing.length === 0) return params;
  const grant = await provider.Grant.find(token.grantId);
  const denied = namesIn(grant?.getRejectedResourceScope(resource));
  const granted = namesIn(grant?.getResourceScope(resource));
  const isRepeated = denied.length > 0 && denied.every((name) => missing.includes(name));
  if (!isRepeated || !missing.every((name) => denied.includes(name) || granted.includes(name))) return params;
  const repeated = new URLSearchParams(params);
  repeated.delete("scope");
  return repeated;
}

function namesIn(scope = ""): string[] {
  return scope.split(" ").filter((name) => name !== "");
}

/** The parts of a request that differ from what was received. */
interface Amended {
  /** Path and query. */
  url: string;
  /** The whole body, already read. */
  body?: Buffer;
}

/**
 * A request as the provider gets it: with our host and scheme instead of those in its headers (the provider builds
 * addresses from them), the source address that trusted proxies report, and the corrected query or body.
 */
export function amendedRequest(request: Request, publicOrigin: string, { url, body }: Amended): IncomingMessage {
  const { host, protocol } = new URL(publicOrigin);
  const {
    "x-forwarded-host": _host,
    "x-forwarded-for": _for,
    "content-encoding": _encoding,
    "transfer-encoding": _chunked,
    ...headers
  } = request.headers;
  const amended = new IncomingMessage(request.socket);
  amended.method = request.method;
  amended.url = url;
  amended.httpVersionMajor = request.httpVersionMajor;
  amended.httpVersionMinor = request.httpVersionMinor;
  amended.headers = { ...headers, host, "x-forwarded-proto": protocol.slice(0, -1) };
  if (request.ip !== undefined) amended.headers["x-forwarded-for"] = request.ip;
  if (body !== undefined) {
    amended.headers["content-length"] = String(body.byteLength);
    amended.push(body);
  }
  amended.push(null);
  // Nothing more comes over the socket for it, so ending it must not end the socket.
  amended.complete = true;
  return amended;
}
