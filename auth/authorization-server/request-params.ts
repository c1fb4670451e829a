import { IncomingMessage } from "node:http";
import type { Request } from "express";
import { parseScopes, SCOPES, type Scope } from "../../src/core/gate/actor.ts";
import { READ_SCOPE } from "../grantable-scopes.ts";

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
/** Where it keeps what the client said of itself as it asked ({@link AskingClient}). */
export const ASKING_CLIENT = "asking_client";

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
  params.set(ASKED_SCOPE, withReading(asked));
  canonicalise(params, resource);
  if (!params.has("resource")) params.set("resource", resource);
  cleanPrompt(params);
  return params;
}

/**
 * A token request as the provider takes it. Scopes are treated as in an authorization request: those that are not ours
 * are ignored, and reading is always among the others.
 */
export function tokenParams(given: URLSearchParams, resource: string): URLSearchParams {
  const params = new URLSearchParams(given);
  const scopes = parseScopes(params.getAll("scope").join(" "));
  params.delete("scope");
  if (scopes.length > 0) params.set("scope", withReading(scopes));
  canonicalise(params, resource);
  return params;
}

/** Whether a parameter holds a NUL character, which no store takes. */
export function holdsNul(params: URLSearchParams) {
  return [...params.values()].some((value) => value.includes("\0"));
}

function withReading(scopes: readonly Scope[]) {
  return SCOPES.filter((scope) => scope === READ_SCOPE || scopes.includes(scope)).join(" ");
}

/** Normalises our resource; any other resource stays, and is refused. */
function canonicalise(params: URLSearchParams, resource: string) {
  const named = params.getAll("resource");
  const spelled = new Set(named.map((name) => (isOurs(name, resource) ? resource : name)));
  params.delete("resource");
  for (const name of spelled) params.append("resource", name);
}

/** Some clients add a slash, or name the origin only. */
function isOurs(name: string, resource: string) {
  const url = URL.parse(name);
  if (url === null || url.hash !== "" || url.search !== "") return false;
  const plain = url.href.replace(/\/$/, "");
  return plain === resource || plain === new URL(resource).origin;
}

/** `select_account` means signing in; unknown prompts are dropped. */
function cleanPrompt(params: URLSearchParams) {
  const given = (params.get("prompt") ?? "").split(" ");
  const known = given.map((name) => (name === "select_account" ? "login" : name)).filter((name) => PROMPTS.has(name));
  if (known.length === 0) params.delete("prompt");
  else params.set("prompt", [...new Set(known)].join(" "));
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
