import { type ClientMetadata, errors } from "oidc-provider";
import { cleanText } from "../../src/core/kernel/text.ts";
import { plainUrl } from "../../src/settings.ts";
import { redirectProblem } from "./redirect-addresses.ts";
import { CLIENT_AUTH_METHODS } from "./routes.ts";

/** Longest client name that is shown (in characters). */
const MAX_NAME = 80;
/** A key set with chains of certificates has five levels. */
const MOST_LEVELS = 8;
/** In JSON: a NUL character or half of a surrogate pair, which no store takes. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
const GRANTS = new Set(["authorization_code", "refresh_token"]);

/** The client metadata that is kept. Other fields belong to OpenID Connect, or would be fetched or shown. */
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
 * A registration (RFC 7591) in the form the provider takes: unknown fields are dropped, and a client that names no
 * authentication method is public. Null if the body is not a JSON object, or nested too deeply.
 */
export function registrationOf(body: string): object | null {
  const given = parsedObject(body);
  if (given === null) return null;
  const kept = Object.fromEntries(Object.entries(given).filter(([key, value]) => KEPT.has(key) && isGiven(value)));
  if (isDeeper(kept, MOST_LEVELS)) return null;
  return "token_endpoint_auth_method" in kept
    ? kept
    : { ...kept, token_endpoint_auth_method: authMethodOf(kept.token_endpoint_auth_methods_supported) };
}

/** The first supported of a client's choices; public if there is no such one. */
function authMethodOf(choices: unknown) {
  if (!Array.isArray(choices)) return "none";
  return CLIENT_AUTH_METHODS.find((method) => choices.includes(method)) ?? "none";
}

function parsedObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether lists and objects are nested deeper than `levels`. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Some clients leave a field empty instead of leaving it out. */
function isGiven(value: unknown) {
  return value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/**
 * Normalizes a client's metadata (RFC 7591), registered or published: fields that real clients send and a strict server
 * would reject are dropped, and so is `scope`, because the consent limits it. Of several redirect addresses those that
 * answers must not go to ({@link redirectProblem}) are left out (RFC 7591 §3.2.1). Changes `metadata`. Throws
 * `invalid_redirect_uri` if none is left, and `invalid_client_metadata` for characters that cannot be stored, or lists in lists beyond a few levels.
 */
export function cleanClientMetadata(metadata: ClientMetadata) {
  for (const key of Object.keys(metadata)) {
    const value: unknown = Reflect.get(metadata, key);
    if (!KEPT.has(key) || !isGiven(value)) Reflect.deleteProperty(metadata, key);
  }
  cleanShown(metadata);
  if (isDeeper(metadata, MOST_LEVELS)) throw new errors.InvalidClientMetadata("the metadata is nested too deeply");
  if (UNSTORABLE.test(JSON.stringify(metadata)))
    throw new errors.InvalidClientMetadata("the metadata must not hold NUL characters or unpaired surrogates");
  if (Array.isArray(metadata.grant_types))
    metadata.grant_types = metadata.grant_types.filter((grant) => GRANTS.has(grant));
  if (Array.isArray(metadata.response_types) && metadata.response_types.includes("code"))
    metadata.response_types = ["code"];
  const redirects: unknown[] = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [];
  const taken = redirects.filter((address): address is string => redirectProblem(address) === null);
  if (redirects.length > 0 && taken.length === 0)
    throw new errors.InvalidClientMetadata(`redirect_uris ${redirectProblem(redirects[0])}`);
  metadata.redirect_uris = taken;
  // A program on the person's machine: its port may vary, and it may have a scheme of its own (RFC 8252).
  if (taken.some((address) => URL.parse(address)?.protocol !== "https:")) metadata.application_type = "native";
}

function cleanShown(metadata: ClientMetadata) {
  const name = typeof metadata.client_name === "string" ? cleanText(metadata.client_name, MAX_NAME) : null;
  if (name === null) Reflect.deleteProperty(metadata, "client_name");
  else metadata.client_name = name;
  const uri = typeof metadata.client_uri === "string" ? plainUrl(metadata.client_uri) : null;
  if (uri?.protocol !== "https:") Reflect.deleteProperty(metadata, "client_uri");
}
