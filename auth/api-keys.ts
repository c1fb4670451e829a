import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import type { Permission } from "../src/core/actor.ts";
import { type Core, nowOf } from "../src/core/core.ts";
import { notFound, ServiceError } from "../src/core/error.ts";
import { type PageAdmin, recordAdminAct } from "../src/core/operator.ts";
import { cleanText } from "../src/core/text.ts";
import { insertApiKey, selectApiKeys, tombstoneApiKey } from "./api-key-queries.ts";

const PREFIX = "rcv_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 36 digits of base 62 are 214 bits. */
const SECRET_LENGTH = 36;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A workspace's API key without its secret, which nobody can read again (service.md §5.1). */
export interface ApiKey {
  id: string;
  name: string;
  permission: Permission;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

/** A key at the one moment its secret is known. */
export interface IssuedApiKey extends ApiKey {
  key: string;
}

/** What people call a key by. */
export const ApiKeyName = z
  .string()
  .transform((text) => cleanText(text, 100))
  .pipe(z.string("must not be empty"));

/** What a key is stored and looked up by; null for text that no key can be, which its checksum tells without a look. */
export function parseApiKey(text: string): { keyHash: string } | null {
  if (!FORM.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(body)) ? { keyHash: hash(text) } : null;
}

/**
 * Makes a key; `key` of the result is shown exactly once. Throws `permission_denied`, and `conflict` where there is one of a
 * given id; without `by` it is an operator.
 */
export async function issueApiKey(
  core: Core,
  tenantId: string,
  { id = core.newId(), name, permission }: { id?: string; name: string; permission: Permission },
  by?: PageAdmin,
): Promise<IssuedApiKey> {
  const key = randomKey();
  const shown = { name, permission, created_at: nowOf(core), last_used_at: null, revoked_at: null };
  await core.store.write(tenantId, async (tx) => {
    const isNew = await insertApiKey(tx, { tenant_id: tenantId, key_id: id, key_hash: hash(key), ...shown });
    if (!isNew) throw new ServiceError("conflict", "This key was made already; it is not shown again.");
    await recordAdminAct(tx, core, { tenantId, operation: "createApiKey", objectType: "api_key", objectId: id }, by);
  });
  return { id, ...shown, key };
}

/** Every key the workspace ever had, newest first. */
export function listApiKeys(core: Pick<Core, "store">, tenantId: string): Promise<ApiKey[]> {
  return core.store.read(tenantId, (tx) => selectApiKeys(tx, tenantId));
}

/** Stops a key at once; one that was revoked before stays as it was. Throws `not_found` and `permission_denied`. */
export function revokeApiKey(core: Core, tenantId: string, keyId: string, by?: PageAdmin): Promise<ApiKey> {
  return core.store.write(tenantId, async (tx) => {
    const row = await tombstoneApiKey(tx, { tenantId, keyId, now: nowOf(core) });
    if (row === undefined) throw notFound("API key");
    await recordAdminAct(tx, core, { tenantId, operation: "revokeApiKey", objectType: "api_key", objectId: keyId }, by);
    return row;
  });
}

function randomKey(): string {
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

function hash(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
