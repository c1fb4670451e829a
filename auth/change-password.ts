import type { Core } from "../src/core/gate/dependencies.ts";
import { accountAct } from "./account-acts.ts";
import { deleteSessionsOf, updatePassword } from "./members/queries.ts";
import { hashPassword } from "./passwords.ts";
import type { WebSession } from "./sessions.ts";
import { type SignIn, signIn } from "./sign-in.ts";

interface PasswordChange {
  session: WebSession;
  current: string;
  /** Long enough (see {@link Password} in members.ts). */
  next: string;
  /** The source of the request: guesses of the current password are limited like sign-ins. */
  address: string;
  requestId: string;
}

const passwordChanged = accountAct("changePassword", "password_changed");

/**
 * Changes a person's password. All their browsers are signed out, including this one, whose page starts a new session;
 * assistants stay connected. Returns the result of a sign-in with the current password.
 */
export async function changePassword(core: Core, change: PasswordChange): Promise<SignIn> {
  const { session, current, next, address, requestId } = change;
  const { email, personId } = session;
  const proof = await signIn(core, { email, password: current, address });
  if (!("personId" in proof)) return proof;
  if (proof.personId !== personId) return { refused: "wrong" };
  const passwordHash = await hashPassword(next);
  return core.store.directory(async (tx) => {
    // Changed in another browser meanwhile: the password that was checked is no longer the current one.
    if (!(await updatePassword(tx, personId, { from: proof.passwordHash, to: passwordHash })))
      return { refused: "wrong" };
    await deleteSessionsOf(tx, personId);
    await passwordChanged({ tx, core, requestId }, personId);
    return { personId, passwordHash };
  });
}
