import type { Stamping } from "../src/core/gate/dependencies.ts";
import { type Leading, workStep } from "../src/core/gate/work-step.ts";
import { queueMail } from "../src/core/mail/outgoing-queries.ts";
import { tenantsAt } from "../src/store/identity/tenant-routes.ts";
import type { Transaction } from "../src/store/store.ts";
import type { AccountNotice } from "../src/store/tables/mail.ts";
import { emailOfPerson } from "./members/queries.ts";
import { selectAllMemberships } from "./membership-queries.ts";

/**
 * Records a change of a person's own account by themselves, in its transaction: audited in each of their workspaces, and told to
 * them by mail where `notice` is given.
 */
export async function recordAccountAct(
  leading: Leading,
  personId: string,
  { name, notice }: { name: string; notice: AccountNotice | null },
): Promise<void> {
  const act = workStep({
    name,
    callers: ["person"],
    run: async ({ audit }, memberId: string) => audit({ type: "member", id: memberId }),
  });
  for (const { tenantId, memberId } of await selectAllMemberships(leading.tx, personId))
    await act.within(leading, { kind: "person", tenantId, memberId }, memberId);
  if (notice !== null) await tellPerson(leading.tx, leading.core, { notice, personId });
}

/** Queues the mail that tells a person of a change of their account, through one of their workspaces or an earlier one. */
export async function tellPerson(
  tx: Transaction,
  core: Stamping,
  { notice, personId }: { notice: AccountNotice; personId: string },
): Promise<void> {
  const [place] = await selectAllMemberships(tx, personId, 1);
  const [earlier] = place === undefined ? await tenantsAt(tx, { kind: "person", key: personId }, 1) : [];
  const tenantId = place?.tenantId ?? earlier;
  if (tenantId === undefined) throw new Error("a person was a member somewhere");
  const recipient = await emailOfPerson(tx, personId);
  await queueMail(tx, core, { tenant_id: tenantId, kind: notice, recipient, subject_id: personId });
}
