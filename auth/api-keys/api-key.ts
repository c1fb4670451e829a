import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { cleanText } from "../../src/core/shared/text.ts";
import { Uuid } from "../../src/core/shared/validation.ts";
import { selectApiKeys } from "./queries.ts";

const PREFIX = "rcv_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 36 digits of base 62 are 214 bits. */
const SECRET_LENGTH = 36;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

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

/** What people call a key by. */
export const ApiKeyName = z
  .string()
  .transform((text) => cleanText(text, 100))
  .pipe(z.string("must not be empty"));

/** What a key is stored and looked up by; null for text that no key can be, which its checksum tells without a look. */
export function parseApiKey(text: string): { keyHash: string } | null {
  if (!FORM.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(body)) ? { keyHash: hashApiKey(text) } : null;
}

/** Every key the workspace ever had, newest first. */
export function listApiKeys(core: Pick<Core, "store">, tenantId: string): Promise<ApiKey[]> {
  return core.store.read(tenantId, (tx) => selectApiKeys(tx, tenantId));
}

/** The whole text of a new key. */
export function randomKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => DIGITS.charAt(randomInt(DIGITS.length))).join("");
  const body = PREFIX + secret;
  return body + checksum(body);
}

/** Six digits of base 62 hold any CRC-32: mistyped and cut-off keys are told apart from unknown ones. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = DIGITS.charAt(rest % DIGITS.length) + text;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}

/** What is stored of a key. */
export function hashApiKey(key: string): string {
  return hash("sha256", key);
}
