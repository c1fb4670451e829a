import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { lastDoers } from "../../src/core/audit-trail/last-doers.ts";
import { ADMINS_READ, operation } from "../../src/core/gate/operation.ts";
import { counted } from "../../src/core/kernel/counted.ts";
import { lineOf, Uuid } from "../../src/core/kernel/wire-types.ts";
import { selectApiKeys } from "./queries.ts";

const PREFIX = "rcv_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = BigInt(DIGITS.length);
/** 36 digits of base 62 are 214 bits. */
const SECRET_LENGTH = 36;
const CHECKSUM_LENGTH = 6;
/** A workspace's id in base 62. */
const WORKSPACE_LENGTH = 22;
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${WORKSPACE_LENGTH}})[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

export const KeyPermission = z.enum(["admin", "readonly"], "must be admin or readonly");

/** A workspace's API key without its secret, which nobody can read again (service.md §5.1). */
export const ApiKeySchema = z.strictObject({
  id: Uuid,
  name: z.string(),
  permission: KeyPermission,
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
export type ApiKey = z.output<typeof ApiKeySchema>;

export type ListedApiKey = z.output<typeof listApiKeys.output>[number];

/** How many keys that a person made are live, in words; null for none. They outlast the membership. */
export function liveKeysOf(keys: readonly ListedApiKey[], email: string) {
  const count = keys.filter((key) => key.revoked_at === null && key.made_by === email).length;
  return count === 0 ? null : `${counted(count, "API key")} that they made ${count === 1 ? "works" : "work"} on`;
}

/** The name people give a key. */
export const ApiKeyName = lineOf(100);

/** The parts a key is looked up by. */
export interface ParsedKey {
  readonly keyHash: string;
  readonly tenantId: string;
}

/** Null for text that cannot be a key, which its checksum shows without a lookup. */
export function parseApiKey(text: string): ParsedKey | null {
  const workspace = FORM.exec(text)?.[1];
  if (workspace === undefined || !text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)))) return null;
  return { keyHash: hashApiKey(text), tenantId: tenantIn(workspace) };
}

/** All live keys of the workspace, newest first, and the latest of the revoked; with who made each. */
export const listApiKeys = operation({
  id: "listApiKeys",
  summary: "The API keys of a workspace, revoked ones too",
  ...ADMINS_READ,
  input: z.strictObject({}),
  output: z.array(ApiKeySchema.extend({ made_by: z.string().nullable().describe("An email, or an operator's name") })),
  async run({ tx, actor: { tenantId } }) {
    const keys = await selectApiKeys(tx, tenantId);
    const asked = { operation: "createApiKey", objectIds: keys.map(({ id }) => id) };
    const makers = await lastDoers(tx, tenantId, asked);
    return keys.map((key) => ({ ...key, made_by: makers.get(key.id)?.actorName ?? null }));
  },
});

/** The full text of a new key: its workspace id, which saves a lookup, and a secret. */
export function randomKey(tenantId: string) {
  const secret = Array.from({ length: SECRET_LENGTH }, () => DIGITS.charAt(randomInt(DIGITS.length))).join("");
  const body = PREFIX + digitsOf(BigInt(`0x${tenantId.replaceAll("-", "")}`), WORKSPACE_LENGTH) + secret;
  return body + checksum(body);
}

function digitsOf(number: bigint, length: number) {
  let [rest, text] = [number, ""];
  for (let place = 0; place < length; place += 1) {
    text = DIGITS.charAt(Number(rest % BASE)) + text;
    rest /= BASE;
  }
  return text;
}

/** The id that {@link digitsOf} wrote; a made-up one is no workspace's id. */
function tenantIn(digits: string) {
  let number = 0n;
  for (const digit of digits) number = number * BASE + BigInt(DIGITS.indexOf(digit));
  const hex = BigInt.asUintN(128, number).toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Six digits of base 62 hold any CRC-32, which tells mistyped and truncated keys from unknown ones. */
function checksum(body: string) {
  return digitsOf(BigInt(crc32(body)), CHECKSUM_LENGTH);
}

/** The digest of a key that is stored. */
export function hashApiKey(key: string) {
  return hash("sha256", key);
}
