import type { Transaction } from "../../../store/store.ts";
import type { Core } from "../../gate/dependencies.ts";
import { innerOperation } from "../../gate/inner-operation.ts";

const REVERSED = "recordReversedReceipt";
const TAKEN_BACK = "recordUnappliedReceipt";

/** What the ERP's own users did to receipts, as the audit trail has it: the only record of when that was seen. */
export const RECEIPT_MOVES = [REVERSED, TAKEN_BACK] as const;

/** A payment whose receipt was found in another state than the service left it in. */
interface Moved {
  readonly paymentId: string;
  readonly state: "reversed" | "posted";
}

const seenMoved = (id: string) =>
  innerOperation({
    id,
    callers: ["system"],
    run: async ({ audit }, paymentId: string) => audit({ type: "payment", id: paymentId }),
  });

const SEEN = { reversed: seenMoved(REVERSED), posted: seenMoved(TAKEN_BACK) } as const;

/** Puts each receipt into the audit trail that a sync found reversed, or not applied any more. */
export async function recordReceiptMoves(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  tenantId: string,
  moved: readonly Moved[],
): Promise<void> {
  const leading = { tx, core, requestId: core.newId() };
  const actor = { kind: "system", tenantId, name: "sync" } as const;
  for (const { paymentId, state } of moved) await SEEN[state].within(leading, actor, paymentId);
}
