import { z } from "zod";
import { operation } from "../../gate/operation.ts";
import { type ByOperator, operate } from "../../gate/operator.ts";
import { listWorkspaces } from "../../workspace/workspaces.ts";

/** Records an act in the trail of every workspace, under the operator's name; `note` says more about it. */
type RecordAct = (by: ByOperator, note?: string) => Promise<void>;

/** An act of an operator on the whole store, which concerns every workspace: its admins find it in their trail. */
function serviceAct(id: string, summary: string): RecordAct {
  const act = operation({
    id,
    summary,
    callers: ["operator"],
    permission: "admin",
    scope: null,
    sideEffects: "Leaves an audit entry.",
    input: z.strictObject({ note: z.string().optional() }),
    output: z.null(),
    async run({ actor: { tenantId }, audit }, { note }) {
      audit({ type: "workspace", id: tenantId, ...(note === undefined ? {} : { details: { note } }) });
      return null;
    },
  });
  return async (by, note) => {
    const { core, operator: name } = by;
    for (const { id: tenantId } of await listWorkspaces(by)) await operate(core, tenantId, act, { note }, { name });
  };
}

export const recordBackup = serviceAct("createBackup", "Write everything to a file");
export const recordRestore = serviceAct("restoreBackup", "Restore everything from a file");
export const recordEncryptionKey = serviceAct("rotateEncryptionKey", "Encrypt stored secrets with a new key");
export const recordSigningKey = serviceAct("rotateSigningKey", "Sign access tokens with a new key");
