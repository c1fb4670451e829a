import { createPublicKey, ECDH, generateKeyPairSync } from "node:crypto";

/** The kinds of key by which a host proves to the MCP registry that its names are its own. */
export const REGISTRY_KEY_TYPES = ["ed25519", "ecdsap384"] as const;
export type RegistryKeyType = (typeof REGISTRY_KEY_TYPES)[number];

/** What the registry reads at `/.well-known/mcp-registry-auth`. */
const PROOF = /^v=MCPv1;\s*k=(ed25519|ecdsap384);\s*p=([A-Za-z0-9+/]+={0,2})$/;

const ED25519_BYTES = 32;

const proofOf = (type: RegistryKeyType, publicKey: Buffer) => `v=MCPv1; k=${type}; p=${publicKey.toString("base64")}`;

/** The proof record in the form it is published in; null for any other text. */
export function parseRegistryProof(text: string) {
  const [, kind, encoded = ""] = PROOF.exec(text.trim()) ?? [];
  const type = REGISTRY_KEY_TYPES.find((known) => known === kind);
  const key = Buffer.from(encoded, "base64");
  if (type === undefined || key.toString("base64") !== encoded) return null;
  const isKey = type === "ed25519" ? key.byteLength === ED25519_BYTES : isCompressedPoint(key);
  return isKey ? proofOf(type, key) : null;
}

/** The kind of key in a proof record. */
export function keyTypeOf(proof: string): RegistryKeyType {
  return proof.includes("k=ecdsap384;") ? "ecdsap384" : "ed25519";
}

/** A key pair: the private half as PEM, for the publisher's tool, and the record that publishes the other. */
export function newRegistryKey(type: RegistryKeyType): { privateKey: string; proof: string } {
  const { privateKey } =
    type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "secp384r1" });
  const { x = "", y = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const publicKey = Buffer.from(x, "base64url");
  // A point of the curve is written as its x and, in the first byte, whether y is odd.
  const sign = Buffer.from([2 + ((Buffer.from(y, "base64url").at(-1) ?? 0) & 1)]);
  return {
    privateKey: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    proof: proofOf(type, type === "ed25519" ? publicKey : Buffer.concat([sign, publicKey])),
  };
}

function isCompressedPoint(key: Buffer) {
  if (key.byteLength !== 49) return false;
  try {
    ECDH.convertKey(key, "secp384r1");
    return true;
  } catch {
    return false;
  }
}
