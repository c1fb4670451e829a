import { hash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

const PERIOD_SECONDS = 30;
/** 160 bits (RFC 4226). */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits: cannot be guessed, so a plain digest is stored. */
const RECOVERY_BYTES = 10;

/** A new secret, in Base32. */
export function newSecret() {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

const generator = (secret: string, label: string): TOTP =>
  new TOTP({ issuer: "Receivables", label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });

/** The `otpauth` address for authenticator apps. */
export function enrolmentUri(secret: string, email: string) {
  return generator(secret, email).toString();
}

/** The time step of a code: the current, previous or next one. Null for any other code. */
export function stepOfCode(secret: string, code: string, now: Date): bigint | null {
  const digits = digitsOf(code);
  if (digits === null) return null;
  const delta = generator(secret, "").validate({ token: digits, timestamp: now.getTime(), window: 1 });
  if (delta === null) return null;
  return BigInt(Math.floor(now.getTime() / 1_000 / PERIOD_SECONDS) + delta);
}

function digitsOf(code: string) {
  const digits = code.replace(/\s/g, "");
  return /^\d{6}$/.test(digits) ? digits : null;
}

/** Whether text looks like a code of an app or a recovery code. */
export function looksLikeCode(text: string) {
  return digitsOf(text) !== null || recoveryCodeHash(text) !== null;
}

/** New recovery codes, formatted for writing down. */
export function newRecoveryCodes() {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32.toLowerCase();
    return code.match(/.{4}/g)?.join("-") ?? code;
  });
}

/** The digest of a recovery code as stored; null for text that cannot be one. */
export function recoveryCodeHash(code: string) {
  const plain = code.toLowerCase().replace(/[\s-]/g, "");
  return /^[a-z2-7]{16}$/.test(plain) ? hash("sha256", plain) : null;
}
