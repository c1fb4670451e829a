import { decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { z } from "zod";
import { parseScopes, type Scope } from "../src/core/gate/actor.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import type { ServiceError } from "../src/core/kernel/error.ts";
import { SIGNING_ALGORITHM } from "./signing-keys.ts";

/** The subject of a token. Permissions are not in it: they are read again on each call. */
export interface AccessToken {
  personId: string;
  clientId: string;
  connectionId: string;
  tenantId: string;
  /** The scopes the token was issued for; at most those granted to its connection. */
  scopes: Scope[];
  /** The client asked for fewer scopes than it could have had: later grants do not widen such a token. */
  narrowed: boolean;
}

/**
 * `expired` is a token that was issued by us; `invalid` is anything else. A `refusal` is for a genuine token, or for
 * one that cannot be checked now.
 */
export type TokenCheck = { token: AccessToken } | { refused: "expired" | "invalid" } | { refusal: ServiceError };

/** Checks a token that was sent from `address`. */
export type TokenVerifier = (token: string, address: string | undefined) => Promise<TokenCheck>;

/** Tolerated clock difference between processes, in seconds. */
export const CLOCK_TOLERANCE = 5;

/** Header parameters by which a token could name its own key or require an unknown extension. */
export const FOREIGN_HEADERS = ["jwk", "jku", "x5u", "x5c", "crit", "b64"];

const Claims = z.looseObject({
  sub: z.uuid(),
  aud: z.string(),
  iat: z.number(),
  client_id: z.string().min(1),
  jti: z.string().min(1),
  scope: z.string(),
  connection_id: z.uuid(),
  tenant_id: z.uuid(),
  narrowed: z.boolean().default(false),
  cnf: z.undefined().optional(),
});

/** What our tokens are checked against. */
interface Verifier {
  core: Pick<Core, "clock">;
  issuer: string;
  /** The resource: exactly `{mcp_url}`. */
  audience: string;
  /** Our key with the id that a token names. */
  keyOf: JWTVerifyGetKey;
}

/**
 * Checks access tokens of the embedded authorization server (RFC 9068): our keys only, no fetch, no algorithm but
 * ours. A token bound to a key of its holder (`cnf`) is no bearer token.
 */
export function accessTokenVerifier({ core, issuer, audience, keyOf }: Verifier): (jwt: string) => Promise<TokenCheck> {
  return async (jwt) => {
    try {
      const header = decodeProtectedHeader(jwt);
      if (FOREIGN_HEADERS.some((name) => name in header)) return { refused: "invalid" };
      const { payload } = await jwtVerify(jwt, keyOf, {
        issuer,
        audience,
        algorithms: [SIGNING_ALGORITHM],
        typ: "at+jwt",
        requiredClaims: ["exp", "iat", "sub", "jti", "client_id"],
        currentDate: core.clock.now(),
        clockTolerance: CLOCK_TOLERANCE,
      });
      const claims = Claims.safeParse(payload);
      return claims.success ? { token: accessTokenOf(claims.data) } : { refused: "invalid" };
    } catch (error) {
      return { refused: error instanceof errors.JWTExpired ? "expired" : "invalid" };
    }
  };
}

function accessTokenOf(claims: z.infer<typeof Claims>): AccessToken {
  return {
    personId: claims.sub,
    clientId: claims.client_id,
    connectionId: claims.connection_id,
    tenantId: claims.tenant_id,
    scopes: parseScopes(claims.scope),
    narrowed: claims.narrowed,
  };
}
