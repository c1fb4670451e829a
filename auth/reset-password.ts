import { hash as digestOf } from "node:crypto";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { innerOperation } from "../src/core/gate/inner-operation.ts";
import {
  endResetsOf,
  insertReset,
  lockUsableReset,
  type NewReset,
  selectPersonToReset,
} from "../src/core/password-resets/queries.ts";
import { mailedToken, tokenHash } from "../src/core/shared/mailed-token.ts";
import { type AttemptLimit, count } from "./attempts.ts";
import { deleteSessionsOf, setPassword } from "./members/queries.ts";
import { selectAllMemberships } from "./membership-queries.ts";
import { hashPassword } from "./passwords.ts";

/** How long the link in a mail leads to a new password. */
const VALID_MS = 30 * 60_000;
/** Mails to one account: more would only fill a mailbox. Nobody is told that they were not sent. */
const OF_ACCOUNT: AttemptLimit = { name: "password-reset-account", max: 5, windowSeconds: 3_600 };
/** Mails that one address asks for. */
const OF_ADDRESS: AttemptLimit = { name: "password-reset-address", max: 20, windowSeconds: 3_600 };
/** Links that one address tries. */
const TRIES: AttemptLimit = { name: "password-reset-tries", max: 30, windowSeconds: 3_600 };

/** Where a request came from; `address` is what limits are counted for. */
interface Asked {
  readonly address: string;
  readonly requestId: string;
}

type TooMany = { readonly refused: "too_many"; readonly retryAfterSeconds: number };

/** Mails a link to the person of an email; the answer and its time are the same for an email that nobody has. */
export async function requestReset(core: Core, email: string, { address }: Asked): Promise<TooMany | null> {
  const ofAddress = await count(core, OF_ADDRESS, address);
  if (ofAddress.hits > ofAddress.max) return tooMany(ofAddress);
  const account = email.trim().toLowerCase();
  const ofAccount = await count(core, OF_ACCOUNT, digestOf("sha256", account, "base64url"));
  const now = nowOf(core);
  const resetId = core.newId();
  const reset: NewReset = {
    email: ofAccount.hits > ofAccount.max ? "" : account,
    mailId: core.newId(),
    reset_id: resetId,
    token_hash: tokenHash(mailedToken(core, "password reset", resetId)) ?? "",
    created_at: now,
    expires_at: new Date(Date.parse(now) + VALID_MS).toISOString(),
  };
  await core.store.directory(async (tx) => {
    const personId = (await selectPersonToReset(tx, reset.email))?.person_id;
    // For an email that nobody has as well, so that the time tells as little as the answer.
    const [place] = await selectAllMemberships(tx, personId ?? core.newId(), 1);
    if (personId !== undefined && place !== undefined)
      await insertReset(tx, { ...reset, personId, tenantId: place.tenant_id });
  });
  return null;
}

/** Whose password a link would reset; null for one that was used or has expired, or that never was. */
export async function readReset(
  core: Core,
  token: string,
  { address }: Asked,
): Promise<{ email: string } | TooMany | null> {
  const tries = await count(core, TRIES, address);
  if (tries.hits > tries.max) return tooMany(tries);
  return core.store.directory((tx) => find(core, tx, token));
}

/** What a reset is in each workspace: an audit entry. */
const passwordReset = innerOperation({
  id: "resetPassword",
  callers: ["person"],
  run: async ({ audit }, memberId: string) => audit({ type: "member", id: memberId }),
});

/**
 * Gives a link's person the password `next`, once. Every browser of theirs is signed out; a second factor stays. Null where the
 * link is not valid.
 */
export async function resetPassword(
  core: Core,
  { token, next }: { token: string; next: string },
  { address, requestId }: Asked,
): Promise<{ email: string } | TooMany | null> {
  const known = await readReset(core, token, { address, requestId });
  if (known === null || "refused" in known) return known;
  const passwordHash = await hashPassword(next);
  return core.store.directory(async (tx) => {
    const person = await find(core, tx, token);
    if (person === null) return null;
    const { personId, email } = person;
    await endResetsOf(tx, personId, nowOf(core));
    await setPassword(tx, personId, passwordHash);
    await deleteSessionsOf(tx, personId);
    for (const { tenant_id: tenantId, member_id: memberId } of await selectAllMemberships(tx, personId))
      await passwordReset.within({ tx, core, requestId }, { kind: "person", tenantId, memberId }, memberId);
    return { email };
  });
}

async function find(core: Core, tx: Parameters<typeof lockUsableReset>[0], token: string) {
  const hash = tokenHash(token);
  const row = hash === null ? undefined : await lockUsableReset(tx, { tokenHash: hash, now: nowOf(core) });
  return row === undefined ? null : { personId: row.person_id, email: row.email };
}

const tooMany = ({ resetSeconds }: { resetSeconds: number }): TooMany => ({
  refused: "too_many",
  retryAfterSeconds: resetSeconds,
});
