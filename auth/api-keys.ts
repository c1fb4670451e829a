import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Permission } from "../src/core/actor.ts";
import { type Core, nowOf } from "../src/core/core.ts";
import { notFound } from "../src/core/error.ts";
import { recordOperatorAct } from "../src/core/operator.ts";

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

/** What a key is stored and looked up by; null for text that no key can be, which its checksum tells without a look. */
export function parseApiKey(text: string): { keyHash: string } | null {
  if (!FORM.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(body)) ? { keyHash: hash(text) } : null;
}

/** Makes a key; `key` of the result is shown exactly once. */
export async function issueApiKey(
  core: Core,
  tenantId: string,
  { name, permission }: { name: string; permission: Permission },
): Promise<IssuedApiKey> {
  const key = randomKey();
  const row = { name, permission, created_at: nowOf(core), last_used_at: null, revoked_at: null };
  const id = core.newId();
  await core.store.write(tenantId, async (tx) => {
    await tx
      .insertInto("api_keys")
      .values({ tenant_id: tenantId, key_id: id, key_hash: hash(key), ...row })
      .execute();
    await recordOperatorAct(tx, core, { tenantId, operation: "createApiKey", objectType: "api_key", objectId: id });
  });
  return { id, ...row, key };
}

/** Every key the workspace ever had, newest first. */
export function listApiKeys(core: Pick<Core, "store">, tenantId: string): Promise<ApiKey[]> {
  return core.store.read(tenantId, (tx) =>
    tx
      .selectFrom("api_keys")
      .select(["key_id as id", "name", "permission", "created_at", "last_used_at", "revoked_at"])
      .where("tenant_id", "=", tenantId)
      .orderBy("created_at", "desc")
      .orderBy("key_id")
      .execute(),
  );
}

/** Stops a key at once; one that was revoked before stays as it was. Throws `not_found`. */
export function revokeApiKey(core: Core, tenantId: string, keyId: string): Promise<ApiKey> {
  return core.store.write(tenantId, async (tx) => {
    const row = await tx
      .updateTable("api_keys")
      .set(({ fn, ref, val }) => ({ revoked_at: fn.coalesce(ref("revoked_at"), val(nowOf(core))) }))
      .where("tenant_id", "=", tenantId)
      .where("key_id", "=", keyId)
      .returning(["key_id as id", "name", "permission", "created_at", "last_used_at", "revoked_at"])
      .executeTakeFirst();
    if (row === undefined) throw notFound("API key");
    await recordOperatorAct(tx, core, { tenantId, operation: "revokeApiKey", objectType: "api_key", objectId: keyId });
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
