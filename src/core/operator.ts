import type { Transaction } from "../store/store.ts";
import { recordAudit } from "./audit.ts";
import type { Core } from "./core.ts";

/** What an operator did at the terminal, for the audit trail of the workspace it was done in. */
interface OperatorAct {
  tenantId: string;
  /** The verb of the command, such as `createWorkspace`. */
  operation: string;
  objectType: string;
  objectId: string;
}

/** Writes the audit entry of an operator's mutation, in its own transaction (completions §1). */
export function recordOperatorAct(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, ...act }: OperatorAct,
): Promise<void> {
  const actor = { kind: "operator", tenantId } as const;
  return recordAudit(tx, core, { actor, ...act, requestId: core.newId(), outcome: "succeeded" });
}
