import type { Core } from "../src/core/gate/dependencies.ts";
import { accountAct } from "./account-acts.ts";
import { checkCurrentPassword, type Reproving } from "./current-password.ts";
import { deleteSessionsOf, updatePassword } from "./members/queries.ts";
import { hashPassword } from "./passwords.ts";
import type { SignIn } from "./sign-in.ts";

interface PasswordChange extends Reproving {
  /** Long enough (see {@link Password} in members.ts). */
  readonly next: string;
}

const passwordChanged = accountAct("changePassword", "password_changed");

/**
 * Changes a person's password. All their browsers are signed out, including this one, whose page starts a new session;
 * assistants stay connected. Returns the result of a sign-in with the current password.
 */
export async function changePassword(core: Core, { next, ...reproving }: PasswordChange): Promise<SignIn> {
  const { personId } = reproving.session;
  const proof = await checkCurrentPassword(core, reproving);
  if ("refused" in proof) return proof;
  const passwordHash = await hashPassword(next);
  return core.store.directory(async (tx) => {
    // Changed in another browser meanwhile: the password that was checked is no longer the current one.
    if (!(await updatePassword(tx, personId, { from: proof.passwordHash, to: passwordHash })))
      return { refused: "wrong" };
    await deleteSessionsOf(tx, personId);
    await passwordChanged({ tx, core, requestId: reproving.requestId }, personId);
    return { personId, passwordHash };
  });
}
