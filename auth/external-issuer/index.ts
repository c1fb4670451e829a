import { decodeProtectedHeader } from "jose";
import type { ExternalIssuerConfig } from "../../src/config.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { FairTurns, TooBusy } from "../../src/fair-turns.ts";
import type { TokenVerifier } from "../access-token.ts";
import { sourceOf } from "../failed-authentications.ts";
import { brief, IssuerMetadata, IssuerUnavailable } from "../issuer-metadata.ts";
import { accessOf } from "./connections.ts";
import { introspectingVerifier } from "./introspection.ts";
import { type ExternalCheck, signedTokenVerifier } from "./verify.ts";

/** Seconds after which to retry when the issuer is unreachable. */
const RETRY_SECONDS = 5;

/**
 * Checks access tokens of an external authorization server, and finds their members. While the issuer is needed and
 * unreachable, all its tokens are rejected (503).
 */
export function externalIssuer(core: Core, config: ExternalIssuerConfig): TokenVerifier {
  // Limits concurrent requests to the issuer, and how long invalid tokens can delay the introspection of others.
  const questions = new FairTurns({ concurrency: 16, waitingOfSource: 50, sources: 500 });
  const metadata = new IssuerMetadata(config.issuer);
  const { introspection: credentials } = config;
  const checkSigned = signedTokenVerifier({ core, config, metadata });
  const checkOpaque = credentials === null ? null : introspectingVerifier({ core, config, metadata, credentials });

  async function check(token: string, address: string | undefined): Promise<ExternalCheck> {
    if (isSigned(token)) return checkSigned(token);
    if (checkOpaque === null) return { refused: "invalid" };
    try {
      return await questions.run(sourceOf(address), () => checkOpaque(token));
    } catch (error) {
      if (error instanceof TooBusy)
        throw new IssuerUnavailable("too many tokens wait to be asked about", { cause: error });
      throw error;
    }
  }

  return async (token, address) => {
    try {
      const checked = await check(token, address);
      return "refused" in checked ? checked : { token: await accessOf(core, config, checked.token) };
    } catch (error) {
      if (error instanceof ServiceError) return { refusal: error };
      if (!(error instanceof IssuerUnavailable)) throw error;
      core.log.warn({ ...brief(error), issuer: config.issuer }, "external_issuer.unreachable");
      return { refusal: unavailable() };
    }
  };
}

/** Whether a token has the form of a JWT: three parts, the first of which names the algorithm. */
function isSigned(token: string) {
  if (token.split(".").length !== 3) return false;
  try {
    return decodeProtectedHeader(token).alg !== undefined;
  } catch {
    return false;
  }
}

function unavailable() {
  return new ServiceError("internal_error", "The authorization server does not answer. Try again.", {
    httpStatus: 503,
    retryAfterSeconds: RETRY_SECONDS,
  });
}
