import { hash, randomBytes } from "node:crypto";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { cleanText } from "../src/core/kernel/text.ts";
import type { Transaction } from "../src/store/store.ts";
import { type AttemptLimit, count, rateLimitExceeded, triedTooOften } from "./attempt-limits.ts";
import { lockIdentity } from "./identities/queries.ts";
import { selectMemberships } from "./membership-queries.ts";
import { deleteSession, holdPassword, insertSession, selectSession } from "./session-queries.ts";
import type { SignedIn } from "./sign-in-reach-queries.ts";
import { type HowSignedIn, recordSignIn, type SignInOrigin, shownAddress } from "./sign-in-trail.ts";

/** How long a browser stays signed in. */
export const SESSION_SECONDS = 8 * 3600;
/** Sessions of a person that are live: by password, and apart from these by each workspace's provider. */
const MOST_SESSIONS = 50;
/** Sign-ins of a person, which are audited in each of their workspaces. */
const SIGN_INS: AttemptLimit = { name: "sign-ins", max: 60, windowSeconds: 600 };
/**
 * Forms, each of which may leave an audit entry. Those of a session have less: who has a stolen one uses up none of the forms
 * sent after signing in again.
 */
const FORMS: AttemptLimit = { name: "forms", max: 300, windowSeconds: 300 };
const FORMS_OF_PERSON: AttemptLimit = { ...FORMS, max: 900 };

export type { SignedIn } from "./sign-in-reach-queries.ts";

/** A person signed in with a browser; the same session serves the pages and OAuth approvals. */
export interface WebSession extends SignedIn {
  /** Digest of the cookie's value: identifies the session without giving access to it. */
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  /** Whether the person is an admin of a workspace that the sign-in counts for, which decides the pages in the menu. */
  readonly administers: boolean;
  /** When the person signed in; ISO 8601 UTC. */
  readonly createdAt: string;
}

/** What a sign-in was proved by: the password hash it was checked against, or the link to an issuer's subject. */
export type Proof = { passwordHash: string } | { identityId: string };

/** A person who proves their identity. */
export interface SigningIn extends SignedIn {
  readonly proof: Proof;
}

/**
 * Starts a session with a new id, ends the browser's previous one and the person's oldest, and writes the audit entry. Returns
 * the cookie's value; null if the password was changed or the link removed while the sign-in was under way. Throws
 * `rate_limit_exceeded` for a person who signs in too often.
 */
export async function startSession(
  core: Core,
  who: SigningIn,
  { replaced, userAgent, ...origin }: SignInOrigin & { replaced: WebSession | null; userAgent: string | null },
): Promise<string | null> {
  const signIns = await countOf(core, SIGN_INS, who);
  if (signIns.hits > signIns.max) throw rateLimitExceeded(triedTooOften(signIns.resetSeconds), signIns);
  const token = randomBytes(32).toString("base64url");
  const now = nowOf(core);
  const expires = new Date(Date.parse(now) + SESSION_SECONDS * 1000).toISOString();
  const isStarted = await core.store.directory(async (tx) => {
    if (!(await holdProof(tx, who))) return false;
    if (replaced !== null) await deleteSession(tx, replaced.id);
    const session = {
      session_hash: hash("sha256", token),
      person_id: who.personId,
      tenant_id: who.tenantId,
      second_factor: who.secondFactor,
      created_at: now,
      expires_at: expires,
      user_agent: cleanText(userAgent, 300),
      address: shownAddress(origin.address),
    };
    await insertSession(tx, session, MOST_SESSIONS);
    await recordSignIn(tx, core, who, { how: howProved(who), ...origin });
    return true;
  }, who.tenantId ?? who.personId);
  return isStarted ? token : null;
}

/** Counts a form that somebody signed in sends. Throws `rate_limit_exceeded` where that is one too many. */
export async function countForm(core: Core, session: WebSession): Promise<void> {
  for (const forms of await Promise.all([count(core, FORMS, session.id), countOf(core, FORMS_OF_PERSON, session)])) {
    const message = `This was not done: you have sent ${forms.max} forms in five minutes. Wait a few minutes, then send it again.`;
    if (forms.hits > forms.max) throw rateLimitExceeded(message, forms);
  }
}

/** What sign-ins, forms and pages are counted by: the person, and apart the workspace whose provider vouched for them, which must use up nothing elsewhere. */
export const signInSource = ({ personId, tenantId }: Pick<SignedIn, "personId" | "tenantId">) =>
  `${personId} ${tenantId}`;

const countOf = (core: Core, limit: AttemptLimit, who: SignedIn) => count(core, limit, signInSource(who));

function howProved({ proof, secondFactor }: SigningIn): HowSignedIn {
  if ("identityId" in proof) return "provider";
  return secondFactor ? "password and code" : "password";
}

/** A change that invalidates the proof waits for this transaction, and then ends the new session too. */
async function holdProof(tx: Transaction, { personId, tenantId, proof }: SigningIn): Promise<boolean> {
  if ("passwordHash" in proof) return holdPassword(tx, personId, proof.passwordHash);
  return tenantId !== null && lockIdentity(tx, { tenantId, identityId: proof.identityId });
}

/** The live session of a cookie's value; null for anything else. */
export async function findSession(core: Core, token: string | undefined): Promise<WebSession | null> {
  if (token === undefined || token === "") return null;
  return core.store.directory(async (tx) => {
    const session = await selectSession(tx, hash("sha256", token), nowOf(core));
    if (session === undefined) return null;
    const memberships = await selectMemberships(tx, session);
    return { ...session, administers: memberships.some(({ role }) => role === "admin") };
  });
}

/** Ends the browser's session. */
export async function endSession(core: Core, session: WebSession): Promise<void> {
  await core.store.directory((tx) => deleteSession(tx, session.id));
}
