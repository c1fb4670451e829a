import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = "v1";

/**
 * What the service keeps secret with one 32-byte key: credentials at rest (AES-256-GCM, bound to where they stand)
 * and seals on what it hands out. Each use has a key of its own, derived from the one.
 */
export class Secrets {
  readonly #encryptionKey: Buffer;
  readonly #sealKey: Buffer;

  /** `key` is 32 bytes. */
  constructor(key: Uint8Array) {
    if (key.byteLength !== 32) throw new RangeError("the encryption key is 32 bytes");
    this.#encryptionKey = derive(key, "credentials at rest");
    this.#sealKey = derive(key, "seals");
  }

  /** Encrypts text; `place` (such as `erp_connections/<id>`) must be given again to decrypt. */
  encrypt(text: string, place: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#encryptionKey, iv).setAAD(Buffer.from(place));
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return `${FORMAT}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
  }

  /** Reverses {@link encrypt}. Throws when the text was altered, moved or encrypted with another key. */
  decrypt(sealed: string, place: string): string {
    const [format, encoded] = sealed.split(".", 2);
    if (format !== FORMAT || encoded === undefined) throw new Error("not an encrypted value");
    const bytes = Buffer.from(encoded, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", this.#encryptionKey, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
  }

  /** A keyed digest (32 bytes) of text; `purpose` keeps the seals of different uses apart. */
  seal(purpose: string, text: string): Buffer {
    return createHmac("sha256", this.#sealKey).update(purpose).update("\0").update(text).digest();
  }

  /** Compares in constant time; the shorter `given` may be a truncated seal. */
  sealMatches(purpose: string, text: string, given: Uint8Array): boolean {
    const expected = this.seal(purpose, text).subarray(0, given.byteLength);
    return expected.byteLength === given.byteLength && timingSafeEqual(expected, given);
  }
}

function derive(key: Uint8Array, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), use, 32));
}
