import type { TokenVerifier } from "../auth/access-token.ts";
import type { AuthorizationServer, AuthorizationServerOptions } from "../auth/authorization-server/index.ts";
import { rememberTokens } from "../auth/remembered-tokens.ts";
import { ForeignSigningKeys } from "../auth/signing-keys.ts";
import type { Config } from "./config.ts";
import { boundedLog } from "./core/gate/bounded-log.ts";
import type { Core } from "./core/gate/dependencies.ts";
import { foreignKeyProblem } from "./encryption-key.ts";
import { oauthErrorPage } from "./web/kit/error-page.ts";

export interface TokenIssuer {
  /** Null with an external issuer. */
  authorization: AuthorizationServer | null;
  verifyAccessToken: TokenVerifier;
}

/** The issuer of access tokens: our own authorization server, or the external one configured. Throws ConfigError. */
export async function tokenIssuer(
  config: Config,
  core: Core,
  internet: AuthorizationServerOptions["internet"],
): Promise<TokenIssuer> {
  const { publicUrl: publicOrigin, externalIssuer: external, clientMetadataDocuments: metadataDocuments } = config;
  if (external !== null) {
    const { externalIssuer } = await import("../auth/external-issuer/index.ts");
    return { authorization: null, verifyAccessToken: externalIssuer({ ...core, log: boundedLog(core.log) }, external) };
  }
  const { authorizationServer } = await import("../auth/authorization-server/index.ts");
  const authorization = await authorizationServer({
    core,
    publicOrigin,
    errorPage: oauthErrorPage(publicOrigin),
    metadataDocuments,
    ...(internet === undefined ? {} : { internet }),
  }).catch((error: unknown) => {
    throw error instanceof ForeignSigningKeys ? foreignKeyProblem(config) : error;
  });
  return { authorization, verifyAccessToken: rememberTokens(authorization.verifyAccessToken, core.clock) };
}
