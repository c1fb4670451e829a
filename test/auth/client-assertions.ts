import { type KeyObject, randomUUID } from "node:crypto";
import { SignJWT } from "jose";

/** The key that a client signs with. */
export interface ClientKey {
  readonly privateKey: KeyObject;
  readonly alg: string;
  readonly kid: string;
}

/** What a client sends to an audience that proves itself by its key. */
export async function assertedBy({ privateKey, alg, kid }: ClientKey, clientId: string, audience: string) {
  const assertion = new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg, kid })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime("1m");
  return {
    client_assertion: await assertion.sign(privateKey),
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  };
}
