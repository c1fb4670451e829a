import { hash } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../src/core/kernel/calendar.ts";
import { setNewest } from "../src/gateways/newest.ts";
import { type AccessToken, CLOCK_TOLERANCE, type TokenVerifier } from "./access-token.ts";

/** Most tokens remembered at once; beyond that the oldest is dropped. */
const MOST = 10_000;

interface Remembered {
  token: AccessToken;
  /** Milliseconds since 1970. */
  until: number;
}

const Expiring = z.object({ exp: z.number() });

/** When a token with a verified signature expires, in milliseconds since 1970. */
function expiryOf(jwt: string) {
  const claims: unknown = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
  return (Expiring.parse(claims).exp + CLOCK_TOLERANCE) * 1_000;
}

/**
 * Remembers verified tokens, by digest until they expire, so that signatures are not checked at each call. Permissions
 * are never remembered: they are read from the store each time (auth/bearer.ts).
 */
export function rememberTokens(verify: TokenVerifier, clock: Clock): TokenVerifier {
  const remembered = new Map<string, Remembered>();
  return async (jwt, address) => {
    const digest = hash("sha256", jwt, "base64");
    const known = remembered.get(digest);
    if (known !== undefined && clock.now().getTime() < known.until) return { token: known.token };
    remembered.delete(digest);
    const check = await verify(jwt, address);
    if (!("token" in check)) return check;
    setNewest(remembered, digest, { token: check.token, until: expiryOf(jwt) }, MOST);
    return check;
  };
}
