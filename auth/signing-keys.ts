import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { z } from "zod";
import { recordSigningKey } from "../src/core/audit-trail/operations/service-acts.ts";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import type { ByOperator } from "../src/core/gate/operator.ts";
import type { Transaction } from "../src/store/store.ts";
import type { SigningKeyRow } from "../src/store/tables/identity.ts";
import { insertSigningKey, lockSigningKeys, retireSigningKeys, selectSigningKeys } from "./signing-key-queries.ts";

/** Signing algorithm of access tokens. */
export const SIGNING_ALGORITHM = "ES256";

/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 600;

/** How long a new key does not sign yet, so that every process knows it before it gets a token signed with it. */
export const SETTLING_MS = 5_000;

/** How often a process that signs reads the keys again, in case it missed the notice. */
export const LOOK_AFTER_MS = 60_000;

/** A replaced key verifies until the last token signed with it has expired. */
const KEPT_MS = SETTLING_MS + LOOK_AFTER_MS + ACCESS_TOKEN_SECONDS * 1_000 + 60_000;

/** Topic of the notice of a new key. */
export const SIGNING_KEYS_CHANGED = "signing_keys_changed";

const PrivateJwk = z.strictObject({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
  alg: z.literal(SIGNING_ALGORITHM),
  use: z.literal("sig"),
});

/** A private key as a JWK (RFC 7517). */
export type SigningKey = z.infer<typeof PrivateJwk>;

/** A key and when it signs and verifies. */
export interface HeldKey {
  readonly key: SigningKey;
  /** Milliseconds since 1970: when it begins to sign, and when it stops verifying. */
  readonly signsFrom: number;
  readonly checksUntil: number;
}

/**
 * The service's signing keys that have not expired, the current one first; the first start creates one. They are stored
 * encrypted: throws if that was under another key than the service has now.
 */
export function loadSigningKeys(core: Core): Promise<HeldKey[]> {
  return core.store.directory(async (tx) => {
    let rows = await selectSigningKeys(tx);
    if (rows.length === 0) {
      await lockSigningKeys(tx);
      rows = await selectSigningKeys(tx);
      if (rows.length === 0) rows = [await makeSigningKey(core, tx)];
    }
    return heldKeys(core, rows);
  });
}

/** Throws {@link ForeignSigningKeys} where the store's signing keys are under a key that this process does not have. */
export async function assertOwnSigningKeys(core: Core): Promise<void> {
  heldKeys(core, await core.store.directory(selectSigningKeys));
}

function heldKeys(core: Core, rows: readonly SigningKeyRow[]): HeldKey[] {
  const now = core.clock.now().getTime();
  const times = rows.map((row) => ({ row, ...timesOf(row) })).filter(({ checksUntil }) => checksUntil > now);
  return times.map(({ row, signsFrom, checksUntil }) => ({ key: decrypted(core, row), signsFrom, checksUntil }));
}

/** The stored signing keys are encrypted under a key that this process does not have. */
export class ForeignSigningKeys extends Error {
  override readonly name = "ForeignSigningKeys";
}

/** The key that signs at an instant: the newest that has settled in; if none has, the oldest. */
export function signingKeyAt(keys: readonly HeldKey[], now: number): SigningKey {
  const key = keys.find(({ signsFrom }) => signsFrom <= now) ?? keys.at(-1);
  if (key === undefined) throw new Error("there is no signing key");
  return key.key;
}

/** A key as operators see it. */
export interface ListedKey {
  kid: string;
  /** `next` will sign soon, `signing` signs, `checking` still verifies what it signed, `past` is out of use. */
  state: "next" | "signing" | "checking" | "past";
  created_at: string;
  retired_at: string | null;
}

/** All keys, newest first. */
export async function listSigningKeys(core: Pick<Core, "store" | "clock">): Promise<ListedKey[]> {
  const rows = await core.store.directory(selectSigningKeys);
  const now = core.clock.now().getTime();
  const times = rows.map((row) => ({ ...row, ...timesOf(row) }));
  const checking = times.filter(({ checksUntil }) => checksUntil > now);
  const signing = checking.find(({ signsFrom }) => signsFrom <= now) ?? checking.at(-1);
  return times.map(({ kid, created_at, retired_at, signsFrom, checksUntil }) => {
    const idle = signsFrom > now ? "next" : checksUntil > now ? "checking" : "past";
    return { kid, state: kid === signing?.kid ? "signing" : idle, created_at, retired_at };
  });
}

/** Creates a key that will sign soon; the existing ones go on verifying what they signed. */
export async function rotateSigningKey(by: ByOperator): Promise<ListedKey[]> {
  const { core } = by;
  await core.store.directory(async (tx) => {
    await lockSigningKeys(tx);
    await retireSigningKeys(tx, nowOf(core));
    await makeSigningKey(core, tx);
  });
  await core.store.publish({ topic: SIGNING_KEYS_CHANGED, payload: "" });
  await recordSigningKey(by);
  return listSigningKeys(core);
}

async function makeSigningKey(core: Core, tx: Transaction): Promise<SigningKeyRow> {
  const key = await generateSigningKey();
  const encrypted = core.secrets.encrypt(JSON.stringify(key), placeOf(key.kid));
  const row = { kid: key.kid, private_jwk: encrypted, created_at: nowOf(core), retired_at: null };
  await insertSigningKey(tx, row);
  return row;
}

function timesOf({ created_at, retired_at }: Pick<SigningKeyRow, "created_at" | "retired_at">) {
  return {
    signsFrom: Date.parse(created_at) + SETTLING_MS,
    checksUntil: retired_at === null ? Number.POSITIVE_INFINITY : Date.parse(retired_at) + KEPT_MS,
  };
}

function decrypted({ secrets }: Core, { kid, private_jwk: sealed }: { kid: string; private_jwk: string }): SigningKey {
  try {
    return PrivateJwk.parse(JSON.parse(secrets.decrypt(sealed, placeOf(kid))));
  } catch (cause) {
    throw new ForeignSigningKeys("the signing keys in the store were encrypted with another key", { cause });
  }
}

/** The public part of a key. */
export function publicPart({ d: _secret, ...key }: SigningKey): Omit<SigningKey, "d"> {
  return key;
}

async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return PrivateJwk.parse({ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: SIGNING_ALGORITHM, use: "sig" });
}

function placeOf(kid: string) {
  return `signing_keys/${kid}`;
}
