import type { Core } from "../src/core/gate/dependencies.ts";
import { innerOperation } from "../src/core/gate/inner-operation.ts";
import { deleteSessionsOf, updatePassword } from "./members/queries.ts";
import { selectAllMemberships } from "./membership-queries.ts";
import { hashPassword } from "./passwords.ts";
import type { WebSession } from "./sessions.ts";
import { type SignIn, signIn } from "./sign-in.ts";

interface PasswordChange {
  session: WebSession;
  current: string;
  /** Long enough (see {@link Password} in members.ts). */
  next: string;
  /** Where it came from: guessing the current one is limited as signing in is. */
  address: string;
  requestId: string;
}

/** What a change of a password is in each workspace: an audit entry. */
const passwordChanged = innerOperation({
  id: "changePassword",
  callers: ["person"],
  run: async ({ audit }, memberId: string) => audit({ type: "member", id: memberId }),
});

/**
 * A person changes what they sign in with. Every browser of theirs is signed out, this one too: its page starts a session
 * again. Assistants stay connected. The answer is that of a sign-in with the current password, and then the new one.
 */
export async function changePassword(core: Core, change: PasswordChange): Promise<SignIn> {
  const { session, current, next, address, requestId } = change;
  const { email, personId } = session;
  const proof = await signIn(core, { email, password: current, address });
  if (!("personId" in proof)) return proof;
  if (proof.personId !== personId) return { refused: "wrong" };
  const passwordHash = await hashPassword(next);
  return core.store.directory(async (tx) => {
    // Changed in another browser meanwhile: what was checked is the current one no more.
    if (!(await updatePassword(tx, personId, { from: proof.passwordHash, to: passwordHash })))
      return { refused: "wrong" };
    await deleteSessionsOf(tx, personId);
    for (const { tenant_id: tenantId, member_id: memberId } of await selectAllMemberships(tx, personId))
      await passwordChanged.within({ tx, core, requestId }, { kind: "person", tenantId, memberId }, memberId);
    return { personId, passwordHash };
  });
}
