import { type Argon2Parameters, argon2, hash as digestOf, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { costlyWork } from "../src/core/gate/costly-work.ts";

/** The cost of a hash: KiB of memory, passes, and degree of parallelism. */
export interface PasswordCost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** The cost of new hashes: 19 MiB and two passes, the smallest setting OWASP names for argon2id. */
const COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PHC =
  /^\$argon2id\$v=19\$m=(?<memory>\d{1,7}),t=(?<passes>\d{1,3}),p=(?<parallelism>\d{1,2})\$(?<salt>[A-Za-z0-9+/]{11,86})\$(?<tag>[A-Za-z0-9+/]{22,86})$/;

const derive = promisify<"argon2id", Argon2Parameters, Buffer>(argon2);

/** The longest a password may be, in UTF-16 code units. */
export const MAX_PASSWORD = 1_000;

/**
 * Normalized, so that the same password typed on another keyboard has the same bytes. Nobody has a longer one than
 * {@link MAX_PASSWORD}, and normalizing takes time by the square of its combining marks: such a one is left as typed.
 */
function message(password: string): string {
  return password.length > MAX_PASSWORD ? password : password.normalize("NFC");
}

function encode(bytes: Uint8Array) {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}

/** Hashes a password with argon2id; returns a PHC string that holds cost and salt. */
export async function hashPassword(password: string, cost: PasswordCost = COST): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await derive("argon2id", { message: message(password), nonce, tagLength: TAG_BYTES, ...cost });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(tag)}`;
}

const makings = costlyWork({
  ...{ concurrency: 1, waitingOfSource: 2, sources: 200 },
  tooMuch: "Too many passwords are being set just now. Try again in a few seconds.",
  retryAfterSeconds: 5,
});

/** {@link hashPassword} of a password that a link sets: one at a time, links in turn. Throws `rate_limit_exceeded` where too many wait. */
export const hashInTurn = (link: string, password: string) => makings(link, () => hashPassword(password));

/**
 * Whether `password` matches `hash`. A null hash (no such person, or no password) never matches and costs as much as a
 * real one, so that the response time does not show whether an account exists.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const known = PHC.exec(hash ?? "")?.groups;
  const cost = known === undefined ? COST : costOf(known);
  const nonce = known === undefined ? Buffer.alloc(SALT_BYTES) : Buffer.from(known.salt ?? "", "base64");
  const expected = known === undefined ? Buffer.alloc(TAG_BYTES) : Buffer.from(known.tag ?? "", "base64");
  const tag = await derive("argon2id", { message: message(password), nonce, tagLength: expected.length, ...cost });
  return timingSafeEqual(tag, expected) && known !== undefined;
}

function costOf(groups: Record<string, string>): PasswordCost {
  return {
    memory: Number(groups.memory),
    passes: Number(groups.passes),
    parallelism: Number(groups.parallelism),
  };
}

/** Tells whether a hash is still the same, without keeping it. */
export const digestOfHash = (passwordHash: string): string => digestOf("sha256", passwordHash, "base64url");
