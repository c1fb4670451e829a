import { rebuildAging } from "../../store/aging-rollup.ts";
import { type AgingVerification, verifyAging } from "../../store/aging-verify.ts";
import { businessDate } from "../calendar.ts";
import type { Core } from "../core.ts";
import { recordOperatorAct } from "../operator.ts";
import { findWorkspace } from "../workspace/workspaces.ts";

/** Compares a workspace's aging roll-up with its book, and changes nothing. Throws `not_found`. */
export async function verifyRollup(core: Pick<Core, "store">, nameOrId: string): Promise<AgingVerification> {
  const { id } = await findWorkspace(core, nameOrId);
  return core.store.read(id, (tx) => verifyAging(tx, id));
}

/** Makes a workspace's aging roll-up anew from its book, while writers of the workspace wait. Throws `not_found`. */
export async function rebuildRollup(core: Core, nameOrId: string): Promise<AgingVerification> {
  const { id, timezone } = await findWorkspace(core, nameOrId);
  await core.store.write(id, async (tx) => {
    await rebuildAging(tx, id, businessDate(core.clock.now(), timezone));
    await recordOperatorAct(tx, core, {
      tenantId: id,
      operation: "rebuildAging",
      objectType: "workspace",
      objectId: id,
    });
  });
  return core.store.read(id, (tx) => verifyAging(tx, id));
}
