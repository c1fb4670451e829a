import {
  replaceInvitationToken,
  replaceSealedValue,
  SEALED_COLUMNS,
  type SealedColumn,
  sealedValues,
  unmailedInvitations,
} from "../../store/sealed-values.ts";
import type { Transaction } from "../../store/store.ts";
import { allTenantsStep } from "../gate/work-step.ts";
import { invitationToken, tokenHash } from "../invitations/token.ts";
import type { Secrets } from "./secrets.ts";

/** How many values were encrypted again, and how many could not be read. */
export interface Reencrypted {
  reencrypted: number;
  /** Under the current key before. */
  current: number;
  /** Under a key that nobody gave: left as they are. */
  unreadable: number;
}

/** Encrypts all values stored under an earlier key with the current one, in one transaction. */
export const reencrypt = allTenantsStep(async ({ tx, core: { secrets } }): Promise<Reencrypted> => {
  const total: Reencrypted = { reencrypted: 0, current: 0, unreadable: 0 };
  for (const place of SEALED_COLUMNS) await reencryptColumn(tx, secrets, place, total);
  // The token of a mail is made when the mail is written, and would be another by then.
  for (const id of await unmailedInvitations(tx)) {
    const hash = tokenHash(invitationToken({ secrets }, id));
    if (hash !== null) await replaceInvitationToken(tx, id, hash);
  }
  return total;
});

/** How many stored values no known key reads. */
export async function countUnreadable(tx: Transaction, secrets: Secrets): Promise<number> {
  let count = 0;
  for (const place of SEALED_COLUMNS)
    for (const { id, sealed } of await sealedValues(tx, place))
      if (replacementOf(secrets, sealed, `${place.table}/${id}`) === undefined) count += 1;
  return count;
}

async function reencryptColumn(tx: Transaction, secrets: Secrets, place: SealedColumn, total: Reencrypted) {
  for (const value of await sealedValues(tx, place)) {
    const replacement = replacementOf(secrets, value.sealed, `${place.table}/${value.id}`);
    if (replacement === undefined) total.unreadable += 1;
    else if (replacement === null) total.current += 1;
    else if (await replaceSealedValue(tx, place, value, replacement)) total.reencrypted += 1;
  }
}

/** Null where none is needed, undefined where none can be made. */
function replacementOf(secrets: Secrets, sealed: string, place: string): string | null | undefined {
  try {
    return secrets.reencrypt(sealed, place);
  } catch {
    return undefined;
  }
}
