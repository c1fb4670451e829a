import { OAuthMetadataSchema, OAuthProtectedResourceMetadataSchema } from "@modelcontextprotocol/sdk/shared/auth.js";
import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorizationServerMetadata } from "../../well-known/authorization-server.ts";
import { protectedResourceMetadata } from "../../well-known/protected-resource.ts";
import { listen } from "../support/http.ts";

const ORIGIN = "https://receivables.example.com";

describe("metadata of the resource and its authorization server", () => {
  let server: { url: string; close(): Promise<void> };
  beforeAll(async () => {
    server = await listen(
      express().use(
        protectedResourceMetadata({ publicOrigin: ORIGIN }),
        authorizationServerMetadata({ publicOrigin: ORIGIN }),
      ),
    );
  });
  afterAll(() => server.close());

  it("the resource's stands at three places, the same at each [service.1.resource-metadata]", async () => {
    const expected = {
      resource: `${ORIGIN}/mcp`,
      authorization_servers: [ORIGIN],
      scopes_supported: ["receivables:read", "payment_links:write", "tasks:write", "receipts:push"],
      bearer_methods_supported: ["header"],
      resource_name: "Receivables assistant server",
      resource_documentation: `${ORIGIN}/mcp`,
    };
    for (const path of [
      "/mcp/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]) {
      const document = await (await fetch(server.url + path)).json();
      expect(document, path).toEqual(expected);
      OAuthProtectedResourceMetadataSchema.parse(document);
    }
  });

  it("the authorization server's is what clients of both revisions look for [facts.mcp.authorization-metadata]", async () => {
    const document = await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json();
    expect(document).toEqual({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/oauth/authorize`,
      token_endpoint: `${ORIGIN}/oauth/token`,
      registration_endpoint: `${ORIGIN}/oauth/register`,
      revocation_endpoint: `${ORIGIN}/oauth/revoke`,
      jwks_uri: `${ORIGIN}/oauth/jwks`,
      scopes_supported: ["receivables:read", "payment_links:write", "tasks:write", "receipts:push", "offline_access"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic", "private_key_jwt"],
      token_endpoint_auth_signing_alg_values_supported: ["RS256", "PS256", "ES256", "EdDSA"],
      revocation_endpoint_auth_methods_supported: [
        "none",
        "client_secret_post",
        "client_secret_basic",
        "private_key_jwt",
      ],
      revocation_endpoint_auth_signing_alg_values_supported: ["RS256", "PS256", "ES256", "EdDSA"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${ORIGIN}/mcp`,
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
    });
    OAuthMetadataSchema.parse(document);
    expect(await (await fetch(`${server.url}/.well-known/openid-configuration`)).json()).toEqual(document);
  });

  it("is open to browsers of any origin, whatever headers they send [facts.mcp.metadata-headers]", async () => {
    for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"]) {
      const headers = { origin: "https://inspector.example.com", "mcp-protocol-version": "2025-11-25" };
      const answer = await fetch(server.url + path, { headers });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      const asked = {
        ...headers,
        "access-control-request-method": "GET",
        "access-control-request-headers": "mcp-protocol-version",
      };
      const preflight = await fetch(server.url + path, { method: "OPTIONS", headers: asked });
      expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([204, "*"]);
    }
  });
});
