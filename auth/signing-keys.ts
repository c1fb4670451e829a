import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { z } from "zod";
import { type Core, nowOf } from "../src/core/core.ts";
import { insertSigningKey, lockSigningKeys, selectSigningKeys } from "./signing-key-queries.ts";

/** How our access tokens are signed. */
export const SIGNING_ALGORITHM = "ES256";

const PrivateJwk = z.strictObject({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
  alg: z.literal(SIGNING_ALGORITHM),
  use: z.literal("sig"),
});

/** A private key as a JWK (RFC 7517). */
export type SigningKey = z.infer<typeof PrivateJwk>;

/** A key without what it signs with. */
export type VerificationKey = Omit<SigningKey, "d">;

/**
 * The keys of this service, newest first, made at the first start and kept encrypted. Throws when they were encrypted
 * with another key than the service has now.
 */
export function loadSigningKeys(core: Core): Promise<SigningKey[]> {
  return core.store.system(async (tx) => {
    await lockSigningKeys(tx);
    const rows = await selectSigningKeys(tx);
    if (rows.length > 0) return rows.map((row) => decrypted(core, row));
    const key = await generateSigningKey();
    const encrypted = core.secrets.encrypt(JSON.stringify(key), placeOf(key.kid));
    await insertSigningKey(tx, { kid: key.kid, private_jwk: encrypted, created_at: nowOf(core), retired_at: null });
    return [key];
  });
}

function decrypted({ secrets }: Core, { kid, private_jwk: sealed }: { kid: string; private_jwk: string }): SigningKey {
  try {
    return PrivateJwk.parse(JSON.parse(secrets.decrypt(sealed, placeOf(kid))));
  } catch (cause) {
    throw new Error("the signing keys in the store were encrypted with another ENCRYPTION_KEY", { cause });
  }
}

/** What anybody may see of a key. */
export function publicPart({ d: _secret, ...key }: SigningKey): VerificationKey {
  return key;
}

async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return PrivateJwk.parse({ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: SIGNING_ALGORITHM, use: "sig" });
}

function placeOf(kid: string): string {
  return `signing_keys/${kid}`;
}
