import { compactVerify, decodeProtectedHeader, errors, jwtVerify } from "jose";
import {
  clockSkew,
  clockTolerance,
  customFetch,
  JWT_TIMESTAMP_CHECK,
  jwksCache,
  OperationProcessingError,
  validateJwtAccessToken,
} from "oauth4webapi";
import type { ExternalIssuerConfig } from "../../src/config.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { CLOCK_TOLERANCE, FOREIGN_HEADERS } from "../access-token.ts";
import { type IssuerMetadata, IssuerUnavailable } from "../issuer-metadata.ts";
import { IssuerKeys } from "./keys.ts";
import { type ExternalToken, externalToken } from "./token.ts";

/** `expired` is a token that the issuer did sign; `invalid` is anything else. */
export type ExternalCheck = { token: ExternalToken } | { refused: "expired" | "invalid" };

/** Checks one kind of token. Throws IssuerUnavailable when the issuer is needed and cannot be asked. */
export type ExternalVerifier = (token: string) => Promise<ExternalCheck>;

/** Asymmetric algorithms only: a public key must never serve as a secret. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** The accepted `typ` values. Older OpenID Connect access tokens say `JWT`, or have none. */
const RELAXED_TYPES = [undefined, "jwt", "at+jwt", "application/at+jwt"];

interface Verifier {
  core: Pick<Core, "clock">;
  config: ExternalIssuerConfig;
  metadata: IssuerMetadata;
}

/** Signed access tokens, in the profile that the configuration names. */
export function signedTokenVerifier({ core, config, metadata }: Verifier): ExternalVerifier {
  const keys = new IssuerKeys(metadata);
  const check = config.profile === "rfc9068" ? strict : relaxed;
  return async (jwt) => {
    try {
      const header = decodeProtectedHeader(jwt);
      if (FOREIGN_HEADERS.some((name) => name in header)) return { refused: "invalid" };
      const token = await check({ core, config, metadata, keys }, jwt);
      return token === null ? { refused: "invalid" } : { token };
    } catch (error) {
      if (error instanceof IssuerUnavailable) throw error;
      return { refused: isExpiry(error) ? "expired" : "invalid" };
    }
  };
}

/** Exactly RFC 9068. */
async function strict(
  { core, config, metadata, keys }: Verifier & { keys: IssuerKeys },
  jwt: string,
): Promise<ExternalToken | null> {
  // The signature is checked first: only a token that the issuer signed is reported as expired.
  await compactVerify(jwt, keys.find, { algorithms: ALGORITHMS });
  const request = new Request("http://localhost/mcp", { headers: { authorization: `Bearer ${jwt}` } });
  const claims = await validateJwtAccessToken({ ...(await metadata.get()) }, request, config.audience, {
    signingAlgorithms: ALGORITHMS,
    [clockSkew]: Math.round((core.clock.now().getTime() - Date.now()) / 1_000),
    [clockTolerance]: CLOCK_TOLERANCE,
    [jwksCache]: { jwks: await keys.current(), uat: Math.floor(Date.now() / 1_000) },
    [customFetch]: () => Promise.reject(new IssuerUnavailable("the issuer's keys are read elsewhere")),
  });
  return externalToken(claims, config);
}

/** Any signed JWT with issuer, audience, expiry, subject and client, as issuers created them before RFC 9068. */
async function relaxed(
  { core, config, keys }: Verifier & { keys: IssuerKeys },
  jwt: string,
): Promise<ExternalToken | null> {
  const { payload, protectedHeader } = await jwtVerify(jwt, keys.find, {
    issuer: config.issuer,
    audience: config.audience,
    algorithms: ALGORITHMS,
    requiredClaims: ["exp", "iat", "sub", config.clientIdClaim],
    currentDate: core.clock.now(),
    clockTolerance: CLOCK_TOLERANCE,
  });
  if (!RELAXED_TYPES.includes(protectedHeader.typ?.toLowerCase())) return null;
  return externalToken(payload, config, { clientIdClaim: config.clientIdClaim, scopeClaims: ["scope", "scp"] });
}

function isExpiry(error: unknown) {
  if (error instanceof errors.JWTExpired) return true;
  if (!(error instanceof OperationProcessingError) || error.code !== JWT_TIMESTAMP_CHECK) return false;
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "claim" in cause && cause.claim === "exp";
}
