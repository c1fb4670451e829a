import type { Core } from "../src/core/gate/dependencies.ts";
import { innerOperation, type Leading } from "../src/core/gate/inner-operation.ts";
import { queueMail } from "../src/core/mail/outgoing-queries.ts";
import type { Transaction } from "../src/store/store.ts";
import type { AccountNotice } from "../src/store/tables/mail.ts";
import { emailOfPerson } from "./members/queries.ts";
import { selectAllMemberships } from "./membership-queries.ts";

/**
 * Declares a change of a person's own account by themselves: audited in each of their workspaces and told to them by
 * mail, both in the transaction of the change.
 */
export function accountAct(id: string, notice: AccountNotice): (leading: Leading, personId: string) => Promise<void> {
  const act = innerOperation({
    id,
    callers: ["person"],
    run: async ({ audit }, memberId: string) => audit({ type: "member", id: memberId }),
  });
  return async (leading, personId) => {
    const places = await selectAllMemberships(leading.tx, personId);
    for (const { tenantId, memberId } of places)
      await act.within(leading, { kind: "person", tenantId, memberId }, memberId);
    const tenantId = places[0]?.tenantId;
    if (tenantId !== undefined) await tellPerson(leading.tx, leading.core, { notice, personId, tenantId });
  };
}

/** Queues the mail that tells a person of a change of their account, through one of their workspaces. */
export async function tellPerson(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { notice, personId, tenantId }: { notice: AccountNotice; personId: string; tenantId: string },
): Promise<void> {
  const recipient = await emailOfPerson(tx, personId);
  await queueMail(tx, core, { tenant_id: tenantId, kind: notice, recipient, subject_id: personId });
}
