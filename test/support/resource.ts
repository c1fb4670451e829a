import express from "express";
import { bearerAuthentication } from "../../auth/bearer.ts";
import { externalIssuer } from "../../auth/external-issuer/index.ts";
import type { ExternalIssuerConfig } from "../../src/config.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { requestIds } from "../../src/http/request-id.ts";
import { listen } from "./http.ts";

/** What tokens for the resource of the tests are issued for, wherever it listens. */
export const AUDIENCE = "https://receivables.example.com/mcp";

/** A configuration as `OAUTH_ISSUER` alone makes it. */
export function issuerConfig(issuer: string, change: Partial<ExternalIssuerConfig> = {}): ExternalIssuerConfig {
  return {
    issuer,
    audience: AUDIENCE,
    profile: "rfc9068",
    clientIdClaim: "client_id",
    sessionClaim: null,
    tenantClaim: null,
    linkByEmail: false,
    introspection: null,
    ...change,
  };
}

/** A resource at `/mcp` that takes the tokens of an external issuer, and answers who called. */
export async function startResource(core: Core, config: ExternalIssuerConfig) {
  const app = express();
  app.set("trust proxy", true);
  const { url, close } = await listen(app);
  const verifyAccessToken = externalIssuer(core, config);
  const authenticate = bearerAuthentication({ core, publicOrigin: url, verifyAccessToken });
  app.use(requestIds(core.newId));
  app.all("/mcp", async (request, response) => {
    const caller = await authenticate(request, response);
    if (caller !== null) response.json(caller);
  });
  return { url, close };
}
