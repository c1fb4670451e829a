import type { Core } from "../src/core/gate/dependencies.ts";
import { recordAccountAct } from "./account-acts.ts";
import { checkCurrentPassword, type Reproving } from "./current-password.ts";
import { givePassword } from "./give-password.ts";
import { hashPassword } from "./passwords.ts";
import type { SignIn } from "./sign-in.ts";

interface PasswordChange extends Reproving {
  /** Long enough (see {@link Password} in members.ts). */
  readonly next: string;
}

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
    const changed = { personId, to: passwordHash, from: proof.passwordHash, notice: "password_changed" } as const;
    if (!(await givePassword(tx, core, changed))) return { refused: "wrong" };
    await recordAccountAct({ tx, core, requestId: reproving.requestId }, personId, {
      name: "changePassword",
      notice: null,
    });
    return { personId, passwordHash };
  }, personId);
}
