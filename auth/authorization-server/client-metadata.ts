import { type ClientMetadata, errors } from "oidc-provider";
import { cleanText } from "../../src/core/text.ts";

/** Longest name of a client that is shown (in characters). */
const MAX_NAME = 80;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const GRANTS = new Set(["authorization_code", "refresh_token"]);

/** What is kept of what a client says of itself. The rest is OpenID Connect's, or would be loaded or shown. */
const KEPT: ReadonlySet<string> = new Set([
  "application_type",
  "client_id",
  "client_id_issued_at",
  "client_name",
  "client_secret",
  "client_secret_expires_at",
  "client_uri",
  "grant_types",
  "jwks",
  "jwks_uri",
  "redirect_uris",
  "response_types",
  "software_id",
  "token_endpoint_auth_method",
  "token_endpoint_auth_methods_supported",
  "token_endpoint_auth_signing_alg",
] satisfies (keyof ClientMetadata | "software_id" | "token_endpoint_auth_methods_supported")[]);

/**
 * Puts a client's metadata (RFC 7591), registered or published, into the form this server takes: what real clients
 * send and a strict server would refuse is dropped; `scope` too, for it is the consent that limits. Changes `metadata`.
 * Throws `invalid_redirect_uri` for http anywhere but on the client's own machine.
 */
export function cleanClientMetadata(metadata: ClientMetadata): void {
  for (const key of Object.keys(metadata)) {
    const value: unknown = Reflect.get(metadata, key);
    if (!KEPT.has(key) || value === null || value === "") Reflect.deleteProperty(metadata, key);
  }
  cleanShown(metadata);
  if (Array.isArray(metadata.grant_types))
    metadata.grant_types = metadata.grant_types.filter((grant) => GRANTS.has(grant));
  if (Array.isArray(metadata.response_types) && metadata.response_types.includes("code"))
    metadata.response_types = ["code"];
  const redirects = parsed(metadata.redirect_uris);
  if (redirects.some((uri) => uri.protocol === "http:" && !LOOPBACK.has(uri.hostname)))
    throw new errors.InvalidClientMetadata("redirect_uris must use https, a loopback address or an app's own scheme");
  // A program on the person's machine: its port may vary, and it may have a scheme of its own (RFC 8252).
  if (redirects.some((uri) => uri.protocol !== "https:")) metadata.application_type = "native";
}

function cleanShown(metadata: ClientMetadata): void {
  const name = typeof metadata.client_name === "string" ? cleanText(metadata.client_name, MAX_NAME) : null;
  if (name === null) Reflect.deleteProperty(metadata, "client_name");
  else metadata.client_name = name;
  const uri = typeof metadata.client_uri === "string" ? URL.parse(metadata.client_uri) : null;
  if (uri?.protocol !== "https:") Reflect.deleteProperty(metadata, "client_uri");
}

function parsed(uris: unknown): URL[] {
  if (!Array.isArray(uris)) return [];
  return uris.map((uri) => URL.parse(String(uri))).filter((uri) => uri !== null);
}
