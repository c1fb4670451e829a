import { endResetsOf } from "../src/core/accounts/reset-queries.ts";
import { nowOf, type Stamping } from "../src/core/gate/dependencies.ts";
import type { Transaction } from "../src/store/store.ts";
import type { AccountNotice } from "../src/store/tables/mail.ts";
import { tellPerson } from "./account-acts.ts";
import { deleteSessionsOf, setPassword } from "./members/queries.ts";

interface NewPassword {
  readonly personId: string;
  /** Hash of the new password. */
  readonly to: string;
  /** Hash of the one it replaces, where only that one may be replaced. */
  readonly from?: string;
  /** Null for an account that is made in this transaction. */
  readonly notice: AccountNotice | null;
}

/**
 * Gives a person a password, in all their workspaces, and tells them by mail. Their sessions and the links of reset mails
 * end. False if `from` is no longer the current one. Nothing else writes passwords.
 */
export async function givePassword(
  tx: Transaction,
  core: Stamping,
  { personId, to, from, notice }: NewPassword,
): Promise<boolean> {
  if (!(await setPassword(tx, personId, { to, from }))) return false;
  await deleteSessionsOf(tx, personId);
  await endResetsOf(tx, personId, nowOf(core));
  if (notice !== null) await tellPerson(tx, core, { notice, personId });
  return true;
}
