import { hash as digestOf } from "node:crypto";
import { insertReset, type NewReset, selectPersonToReset, usableReset } from "../src/core/accounts/reset-queries.ts";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { mailedToken, tokenHash } from "../src/core/gate/mailed-token.ts";
import type { Transaction } from "../src/store/store.ts";
import { recordAccountAct } from "./account-acts.ts";
import { type AttemptLimit, count } from "./attempt-limits.ts";
import { givePassword } from "./give-password.ts";
import { selectWaysIn } from "./membership-queries.ts";
import { hashInTurn } from "./passwords.ts";
import type { SigningIn } from "./sessions.ts";
import { nextStep } from "./steps.ts";
import { selectTenantByDomain } from "./upstream-sign-in/provider-queries.ts";

/** How long the link in a mail is valid. */
const VALID_MS = 30 * 60_000;
/**
 * Mails per account, while their links are valid: more would only fill a mailbox, and a person whose links have expired gets
 * another, however many somebody else asked for. Callers do not learn that further ones are not sent.
 */
const OF_ACCOUNT: AttemptLimit = { name: "password-reset-account", max: 5, windowSeconds: VALID_MS / 1_000 };
/** The same of who is signed in, whose mails no stranger uses up; they learn of it. */
const OF_SIGNED_IN: AttemptLimit = { ...OF_ACCOUNT, name: "password-reset-signed-in" };
/** Mails requested from one address. */
const OF_ADDRESS: AttemptLimit = { name: "password-reset-address", max: 20, windowSeconds: 3_600 };
/** Links that are not valid, tried from one address; valid ones are served all the same. */
const TRIES: AttemptLimit = { name: "password-reset-tries", max: 30, windowSeconds: 3_600 };

/** The source of a request; limits are counted by `address`. */
interface Asked {
  readonly address: string;
  readonly requestId: string;
}

/** Who asks for a mail: anybody, or who is signed in by a workspace's provider. */
interface Asking extends Asked {
  readonly signedInAt?: string | null;
}

/** Who is signed in is not mailed a link; of their other workspaces an organisation is not to learn why. */
interface NotMailed {
  readonly refused: "not_mailed";
}

type TooMany = { readonly refused: "too_many"; readonly retryAfterSeconds: number };

/**
 * Mails a link to the person with an email; for a first password only where no provider signs them in to what it would open, but the
 * account by which they ask. For who is not signed in, result and duration are the same for an unknown email.
 */
export async function requestReset(core: Core, email: string, asked: Asking): Promise<TooMany | NotMailed | null> {
  const began = performance.now();
  const refused = await recordRequest(core, email, asked);
  await nextStep(began);
  return refused;
}

async function recordRequest(
  core: Core,
  email: string,
  { address, signedInAt = null }: Asking,
): Promise<TooMany | NotMailed | null> {
  const ofAddress = await count(core, OF_ADDRESS, address);
  if (ofAddress.hits > ofAddress.max) return tooMany(ofAddress);
  const account = email.trim().toLowerCase();
  const limit = signedInAt === null ? OF_ACCOUNT : OF_SIGNED_IN;
  // By workspace too: what one organisation asks for uses up nothing of another.
  const source = `${signedInAt ?? ""} ${account}`;
  const ofAccount = await count(core, limit, digestOf("sha256", source, "base64url"));
  if (signedInAt !== null && ofAccount.hits > ofAccount.max) return tooMany(ofAccount);
  const now = nowOf(core);
  const resetId = core.newId();
  const reset: NewReset = {
    email: ofAccount.hits > ofAccount.max ? "" : account,
    reset_id: resetId,
    signed_in_at: signedInAt,
    token_hash: tokenHash(mailedToken(core, "password reset", resetId)) ?? "",
    created_at: now,
    expires_at: new Date(Date.parse(now) + VALID_MS).toISOString(),
  };
  const refused = await core.store.directory(async (tx) => {
    const person = await selectPersonToReset(tx, reset.email);
    // For an unknown email as well, so that the duration tells nothing.
    const ways = await opened(tx, { person_id: core.newId(), has_password: false, ...person, ...reset });
    if (ways.first === undefined) return ways;
    if (person !== undefined)
      await insertReset(tx, core, { ...reset, personId: person.person_id, tenantId: ways.first.tenantId });
    return null;
  });
  return signedInAt === null ? null : refused;
}

/** Who would choose a password by mail, and by which workspace's provider they were signed in. */
interface Choosing {
  readonly person_id: string;
  readonly has_password: boolean;
  readonly email: string;
  readonly signed_in_at: string | null;
}

/**
 * The first of the workspaces for which a person may choose a password by mail. They choose no first one where it would open what an
 * organisation signs them in to: who reads their mail does not come in there. Who is in there already, by the same account, may.
 */
async function opened(tx: Transaction, { person_id, has_password, email, signed_in_at }: Choosing) {
  const all = await selectWaysIn(tx, person_id);
  const ofEmail = await selectTenantByDomain(tx, email.slice(email.lastIndexOf("@") + 1));
  const [first] = has_password ? all : all.filter(({ byPassword }) => byPassword);
  if (first === undefined) return NOT_MAILED;
  if (has_password) return { first };
  const proven = new Set(all.find(({ tenantId }) => tenantId === signed_in_at)?.accounts);
  const isElsewhere = all.some(({ tenantId, byPassword, hasProvider, accounts }) => {
    const isProven = accounts.length > 0 && accounts.every((account) => proven.has(account));
    return byPassword && hasProvider && !isProven && (accounts.length > 0 || tenantId === ofEmail);
  });
  return isElsewhere ? NOT_MAILED : { first };
}

const NOT_MAILED: NotMailed & { first?: never } = { refused: "not_mailed" };

/** The email whose password a link would reset; null if it was used, has expired or never existed. */
export async function readReset(
  core: Core,
  token: string,
  { address }: Asked,
): Promise<{ email: string } | TooMany | null> {
  const found = await core.store.directory((tx) => find(core, tx, token, false));
  if (found !== null) return found;
  const tries = await count(core, TRIES, address);
  return tries.hits > tries.max ? tooMany(tries) : null;
}

/**
 * Sets the password of a link's person to `next`, once, and tells who proved with the link that they are that person. All their
 * browsers are signed out; a second factor stays. Null if the link is not valid.
 */
export async function resetPassword(
  core: Core,
  { token, next }: { token: string; next: string },
  { address, requestId }: Asked,
): Promise<{ email: string; by: SigningIn } | TooMany | null> {
  const known = await readReset(core, token, { address, requestId });
  if (known === null || "refused" in known) return known;
  const passwordHash = await hashInTurn(token, next);
  const reset = async (tx: Transaction) => {
    const person = await find(core, tx, token, true);
    if (person === null) return null;
    const { personId, email, hasPassword } = person;
    const notice = hasPassword ? "password_was_reset" : "password_chosen";
    await givePassword(tx, core, { personId, to: passwordHash, notice });
    await recordAccountAct({ tx, core, requestId }, personId, { name: "resetPassword", notice: null });
    return { email, by: { personId, tenantId: null, proof: { passwordHash }, secondFactor: false } };
  };
  return core.store.directory(reset, known.email);
}

async function find(core: Core, tx: Transaction, token: string, isLocked: boolean) {
  const hash = tokenHash(token);
  const row = hash === null ? undefined : await usableReset(tx, hash, { isLocked, now: nowOf(core) });
  if (row === undefined || (await opened(tx, row)).first === undefined) return null;
  return { personId: row.person_id, email: row.email, hasPassword: row.has_password };
}

const tooMany = ({ resetSeconds }: { resetSeconds: number }): TooMany => ({
  refused: "too_many",
  retryAfterSeconds: resetSeconds,
});
