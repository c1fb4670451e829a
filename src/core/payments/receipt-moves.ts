import type { Transaction } from "../../store/store.ts";
import { recordAudit } from "../audit.ts";
import type { Core } from "../core.ts";

const REVERSED = "recordReversedReceipt";
const TAKEN_BACK = "recordUnappliedReceipt";

/** What the ERP's own users did to receipts, as the audit trail has it: the only record of when that was seen. */
export const RECEIPT_MOVES = [REVERSED, TAKEN_BACK] as const;

/** A payment whose receipt was found in another state than the service left it in. */
interface Moved {
  readonly paymentId: string;
  readonly state: "reversed" | "posted";
}

/** Writes an audit entry for each receipt that a sync found reversed, or not applied any more. */
export async function recordReceiptMoves(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  tenantId: string,
  moved: readonly Moved[],
): Promise<void> {
  if (moved.length === 0) return;
  const requestId = core.newId();
  for (const { paymentId, state } of moved)
    await recordAudit(tx, core, {
      actor: { kind: "system", tenantId, name: "sync" },
      ...{ operation: state === "reversed" ? REVERSED : TAKEN_BACK, objectType: "payment", objectId: paymentId },
      ...{ requestId, outcome: "succeeded" },
    });
}
