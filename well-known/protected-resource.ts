import { type RequestHandler, Router } from "express";
import { SCOPES } from "../src/core/gate/actor.ts";

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
  privacyUrl = null,
  termsUrl = null,
}: {
  publicOrigin: string;
  issuer?: string;
  privacyUrl?: string | null;
  termsUrl?: string | null;
}): RequestHandler {
  const document = {
    resource: `${publicOrigin}/mcp`,
    authorization_servers: [issuer],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Receivables assistant server",
    resource_documentation: `${publicOrigin}/mcp`,
    ...(privacyUrl === null ? {} : { resource_policy_uri: privacyUrl }),
    ...(termsUrl === null ? {} : { resource_tos_uri: termsUrl }),
  };
  return metadataDocument(PLACES, document);
}

/** A public document, for every origin and with arbitrary request headers. */
export function metadataDocument(places: string[], document: object): RequestHandler {
  const router = Router();
  router.get(places, (_request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Cache-Control", "public, max-age=300");
    response.json(document);
  });
  router.options(places, (_request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Methods", "GET");
    response.setHeader("Access-Control-Allow-Headers", "*");
    response.status(204).end();
  });
  return router;
}
