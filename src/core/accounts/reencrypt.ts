import {
  replaceInvitationToken,
  replaceSealedValue,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedValue,
  sealedValues,
  unmailedInvitations,
} from "../../store/sealed-values.ts";
import type { Transaction } from "../../store/store.ts";
import { recordEncryptionKey } from "../audit-trail/operations/service-acts.ts";
import { tokenHash } from "../gate/mailed-token.ts";
import type { ByOperator } from "../gate/operator.ts";
import { workStep } from "../gate/work-step.ts";
import type { Secrets } from "../kernel/secrets.ts";
import { invitationToken } from "./invitation-token.ts";

/** How many values were encrypted again, and how many could not be read. */
interface Reencrypted {
  reencrypted: number;
  /** Under the current key before. */
  current: number;
  /** Under a key that nobody gave: left as they are. */
  unreadable: number;
}

/** Encrypts all values stored under an earlier key with the current one, in one transaction: of all workspaces, or of none. */
export async function reencrypt(by: ByOperator) {
  const done = await replaceSealed(by.core, await findSealed(by.core));
  await recordEncryptionKey(by);
  return done;
}

const findSealed = workStep({
  in: "all workspaces",
  whole: true,
  async run({ tx }) {
    const places: { place: SealedColumn; values: SealedValue[] }[] = [];
    for (const place of SEALED_COLUMNS) places.push({ place, values: await sealedValues(tx, place) });
    return { places, invitations: await unmailedInvitations(tx) };
  },
});

const replaceSealed = workStep({
  in: "directory",
  async run({ tx, core: { secrets } }, { places, invitations }: Awaited<ReturnType<typeof findSealed>>) {
    const total: Reencrypted = { reencrypted: 0, current: 0, unreadable: 0 };
    for (const { place, values } of places)
      for (const value of values) await reencryptValue(tx, secrets, { place, value }, total);
    // The token of a mail is made when the mail is written, and would be another by then.
    for (const invitation of invitations) {
      const hash = tokenHash(invitationToken({ secrets }, invitation.invitationId));
      if (hash !== null) await replaceInvitationToken(tx, invitation, hash);
    }
    return total;
  },
});

/** How many stored values no known key reads. */
export async function countUnreadable(tx: Transaction, secrets: Secrets) {
  let count = 0;
  for (const place of SEALED_COLUMNS)
    for (const { id, sealed } of await sealedValues(tx, place))
      if (replacementOf(secrets, sealed, `${place.table}/${id}`) === undefined) count += 1;
  return count;
}

async function reencryptValue(
  tx: Transaction,
  secrets: Secrets,
  { place, value }: { place: SealedColumn; value: SealedValue },
  total: Reencrypted,
) {
  const replacement = replacementOf(secrets, value.sealed, `${place.table}/${value.id}`);
  if (replacement === undefined) total.unreadable += 1;
  else if (replacement === null) total.current += 1;
  else if (await replaceSealedValue(tx, place, value, replacement)) total.reencrypted += 1;
}

/** Null where none is needed, undefined where none can be made. */
function replacementOf(secrets: Secrets, sealed: string, place: string) {
  try {
    return secrets.reencrypt(sealed, place);
  } catch {
    return undefined;
  }
}
