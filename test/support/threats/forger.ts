import { generateKeyPairSync } from "node:crypto";
import { exportSPKI, importJWK, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from "jose";
import { loadSigningKeys, publicPart, type SigningKey, signingKeyAt } from "../../../auth/signing-keys.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";

type Claims = Record<string, unknown>;

/** Makes access tokens as a thief would who has read everything but the private key, and good ones to compare with. */
export interface Forger {
  /** What a genuine token says. */
  readonly claims: Claims;
  /** Signs with our own key: wrong alone is what is changed. An undefined claim is left out. */
  sign(change?: Claims, header?: Partial<JWTHeaderParameters>, key?: object): Promise<string>;
  /** A key pair of the thief's own, as JWKs. */
  ownKey(): { privateKey: object; publicKey: object };
  /** Without any signature. */
  unsigned(): string;
  /** Signed with what everybody knows of our key, as if it were a secret. */
  symmetric(): Promise<string[]>;
  /** With a header the signature does not cover. */
  withHeader(header: object): Promise<string>;
}

/** What a token says. */
export function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

export async function forgerOf(core: Core, genuine: string): Promise<Forger> {
  const key = signingKeyAt(await loadSigningKeys(core), core.clock.now().getTime());
  const claims = claimsOf(genuine);
  const sign: Forger["sign"] = async (change = {}, header = {}, jwk = key) => {
    const payload = Object.fromEntries(
      Object.entries({ ...claims, ...change }).filter(([, value]) => value !== undefined),
    );
    const all = Object.entries({ alg: "ES256", typ: "at+jwt", kid: key.kid, ...header });
    const protectedHeader = Object.fromEntries(all.filter(([, value]) => value !== undefined));
    return new SignJWT(payload)
      .setProtectedHeader({ alg: "ES256", ...protectedHeader })
      .sign(await importJWK(jwk, "ES256"));
  };
  return {
    claims,
    sign,
    ownKey() {
      const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      return { privateKey: privateKey.export({ format: "jwk" }), publicKey: publicKey.export({ format: "jwk" }) };
    },
    unsigned: () => new UnsecuredJWT(claims).encode(),
    async symmetric() {
      const secrets = [await pemOf(key), JSON.stringify(publicPart(key)), key.x];
      const header = { alg: "HS256", typ: "at+jwt", kid: key.kid };
      return Promise.all(
        secrets.map((secret) => new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(secret))),
      );
    },
    async withHeader(header) {
      const [, body = "", signature = ""] = (await sign()).split(".");
      const all = { alg: "ES256", typ: "at+jwt", kid: key.kid, ...header };
      return [Buffer.from(JSON.stringify(all)).toString("base64url"), body, signature].join(".");
    },
  };
}

async function pemOf(key: SigningKey): Promise<string> {
  const imported = await importJWK(publicPart(key), "ES256", { extractable: true });
  if (imported instanceof Uint8Array) throw new Error("not a public key");
  return exportSPKI(imported);
}
