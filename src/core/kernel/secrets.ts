import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { type KeySettings, loadEncryptionKeys } from "../../encryption-key.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = "v1";

interface Keys {
  readonly encryption: KeyObject;
  readonly seals: KeyObject;
}

/**
 * What the service keeps secret with one 32-byte key: credentials at rest (AES-256-GCM, bound to where they stand)
 * and seals on what it hands out. Each use has a key of its own, derived from the one. What was made with an earlier key
 * is read as long as that is known; nothing is made with it any more.
 */
export class Secrets {
  #current: Keys;
  #previous: readonly Keys[];

  /** `key` and `previous` are of 32 bytes each. */
  constructor(key: Uint8Array, previous: readonly Uint8Array[] = []) {
    this.#current = keysOf(key);
    this.#previous = previous.map(keysOf);
  }

  /** With the configured key, else the one in the data folder. */
  static of(settings: KeySettings) {
    const { current, previous } = loadEncryptionKeys(settings);
    return new Secrets(current, previous);
  }

  /** Whether anything but the current key is known. */
  get knowsEarlierKey() {
    return this.#previous.length > 0;
  }

  /** Goes over to a key; the one so far stays known. */
  adopt(key: Uint8Array) {
    this.#previous = [this.#current, ...this.#previous];
    this.#current = keysOf(key);
  }

  /** Encrypts text; `place` (such as `erp_connections/<id>`) must be given again to decrypt. */
  encrypt(text: string, place: string) {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#current.encryption, iv).setAAD(Buffer.from(place));
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return `${FORMAT}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
  }

  /** Reverses {@link encrypt}. Throws when the text was altered, moved or encrypted with an unknown key. */
  decrypt(sealed: string, place: string) {
    for (const { encryption } of [this.#current, ...this.#previous]) {
      const text = decrypted(sealed, place, encryption);
      if (text !== null) return text;
    }
    throw new Error("altered, moved, or encrypted with another key");
  }

  /** The same text under the current key; null where it is already. Throws what {@link decrypt} does. */
  reencrypt(sealed: string, place: string) {
    if (decrypted(sealed, place, this.#current.encryption) !== null) return null;
    return this.encrypt(this.decrypt(sealed, place), place);
  }

  /** A keyed digest (32 bytes) of text; `purpose` keeps the seals of different uses apart. */
  seal(purpose: string, text: string): Buffer {
    return sealed(this.#current, purpose, text);
  }

  /** The seals of every key that is known, the current one's first. */
  seals(purpose: string, text: string): Buffer[] {
    return [this.#current, ...this.#previous].map((keys) => sealed(keys, purpose, text));
  }

  /** Compares in constant time; the shorter `given` may be a truncated seal. */
  sealMatches(purpose: string, text: string, given: Uint8Array) {
    return this.seals(purpose, text).some((seal) => {
      const expected = seal.subarray(0, given.byteLength);
      return expected.byteLength === given.byteLength && timingSafeEqual(expected, given);
    });
  }
}

function keysOf(key: Uint8Array): Keys {
  if (key.byteLength !== 32) throw new RangeError("the encryption key is 32 bytes");
  return { encryption: derive(key, "credentials at rest"), seals: derive(key, "seals") };
}

/** Null when it was not encrypted so. */
function decrypted(sealed: string, place: string, key: KeyObject) {
  const [format, encoded] = sealed.split(".", 2);
  if (format !== FORMAT || encoded === undefined) throw new Error("not an encrypted value");
  const bytes = Buffer.from(encoded, "base64url");
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function sealed({ seals }: Keys, purpose: string, text: string): Buffer {
  return createHmac("sha256", seals).update(purpose).update("\0").update(text).digest();
}

/** A key object, which is read once; bytes would be read again at every use. */
function derive(key: Uint8Array, use: string) {
  return createSecretKey(new Uint8Array(hkdfSync("sha256", key, Buffer.alloc(0), use, 32)));
}
