import { parseScopes, SCOPES } from "../../src/core/gate/actor.ts";
import { OFFLINE_ACCESS, READ_SCOPE } from "../scopes.ts";

/** What an authorization request may carry; the rest belongs to OpenID Connect, and some of it would be refused. */
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

/** Where the provider keeps what a client asked for. */
export const ASKED_SCOPE = "asked_scope";

/**
 * An authorization request as the provider takes it. What of our scopes the client asks for is kept beside, for the page: to the
 * provider the request is for all of them, for the person may grant others than were asked for (RFC 6749 §3.3), and no others; `resource` in its one spelling, ours where it is missing (clients of 2025-03-26 name none).
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
