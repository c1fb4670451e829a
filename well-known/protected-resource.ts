import { Router } from "express";
import type { ListingConfig } from "../src/config.ts";
import { SCOPES } from "../src/core/gate/actor.ts";
import { published } from "./published.ts";

/** Where an installation is, and its policies where it has any. */
export interface Installation extends Partial<Pick<ListingConfig, "privacyUrl" | "termsUrl">> {
  publicOrigin: string;
}

/** The three places clients look in: path-inserted (RFC 9728 §3.1), the origin's root, and below the resource itself. */
const PLACES = [
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource",
  "/mcp/.well-known/oauth-protected-resource",
];

/** Protected-resource metadata (RFC 9728) of `{mcp_url}`, one document wherever it is asked for; `issuer` is us or not. */
export function protectedResourceMetadata({
  publicOrigin,
  issuer = publicOrigin,
  privacyUrl,
  termsUrl,
}: Installation & { issuer?: string }) {
  const document = {
    resource: `${publicOrigin}/mcp`,
    authorization_servers: [issuer],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Receivables assistant server",
    resource_documentation: `${publicOrigin}/mcp`,
    ...(privacyUrl == null ? {} : { resource_policy_uri: privacyUrl }),
    ...(termsUrl == null ? {} : { resource_tos_uri: termsUrl }),
  };
  return metadataDocument(PLACES, document);
}

/** A public document, for every origin and with arbitrary request headers. */
export function metadataDocument(places: string[], document: object) {
  const router = Router();
  const json = JSON.stringify(document);
  router.options(places, (_request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Methods", "GET");
    response.setHeader("Access-Control-Allow-Headers", "*");
    response.status(204).end();
  });
  router.use(published(places, "json", 300, () => json));
  return router;
}
