import { hash } from "node:crypto";
import { ClientSecretBasic, ClientSecretPost, introspectionRequest, processIntrospectionResponse } from "oauth4webapi";
import type { ExternalIssuerConfig } from "../../src/config.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { setNewest } from "../../src/gateways/newest.ts";
import { CLOCK_TOLERANCE } from "../access-token.ts";
import { type IssuerMetadata, IssuerUnavailable, requestOptions } from "../issuer-metadata.ts";
import { type ExternalToken, externalToken } from "./token.ts";
import type { ExternalVerifier } from "./verify.ts";

/** The number of valid tokens that are remembered. */
const REMEMBERED = 10_000;

type Answer = Awaited<ReturnType<typeof processIntrospectionResponse>>;

interface Introspection {
  core: Pick<Core, "clock">;
  config: ExternalIssuerConfig;
  metadata: IssuerMetadata;
  credentials: NonNullable<ExternalIssuerConfig["introspection"]>;
}

/**
 * Opaque tokens: the issuer is asked at each call (RFC 7662), so that what it revokes is rejected here. It does not say
 * why a token is inactive; one that was valid before counts as expired, not as forged.
 */
export function introspectingVerifier(options: Introspection): ExternalVerifier {
  const wereGood = new Map<string, true>();
  return async (token) => {
    const digest = hash("sha256", token, "base64url");
    const answer = await ask(options, token);
    if (!answer.active) return { refused: wereGood.has(digest) ? "expired" : "invalid" };
    const known = tokenOf(options, answer);
    if (known === null) return { refused: "invalid" };
    setNewest(wereGood, digest, true, REMEMBERED);
    return isOver(options, answer) ? { refused: "expired" } : { token: known };
  };
}

async function ask({ config, metadata, credentials }: Introspection, token: string): Promise<Answer> {
  const server = await metadata.get();
  const client = { client_id: credentials.clientId };
  const methods = server.introspection_endpoint_auth_methods_supported ?? server.token_endpoint_auth_methods_supported;
  const byPost = methods?.includes("client_secret_basic") === false && methods.includes("client_secret_post");
  const authentication = (byPost ? ClientSecretPost : ClientSecretBasic)(credentials.clientSecret);
  try {
    const options = { ...requestOptions(config.issuer), additionalParameters: { token_type_hint: "access_token" } };
    const response = await introspectionRequest(server, client, authentication, token, options);
    return await processIntrospectionResponse(server, client, response);
  } catch (cause) {
    throw new IssuerUnavailable("the issuer cannot be asked about a token", { cause });
  }
}

/** The answer is held to the same checks as a signed token, including the issuer where it names one. */
function tokenOf({ config }: Introspection, answer: Answer): ExternalToken | null {
  const { iss, aud, exp, token_type: type } = answer;
  if (iss !== undefined && iss !== config.issuer) return null;
  if (![aud].flat().includes(config.audience) || typeof exp !== "number") return null;
  if (typeof type === "string" && type.toLowerCase() === "dpop") return null;
  return externalToken(answer, config);
}

function isOver({ core }: Introspection, { exp = 0, nbf = 0 }: Answer) {
  const now = core.clock.now().getTime() / 1_000;
  return exp <= now - CLOCK_TOLERANCE || nbf > now + CLOCK_TOLERANCE;
}
