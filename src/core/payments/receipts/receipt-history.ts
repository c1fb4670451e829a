import type { ReceiptReason } from "../../../erp-reasons.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import { RECEIPT_MOVES, stateChange } from "../../collection/push-outcome.ts";
import type { SystemActor } from "../../gate/actor.ts";
import { type Leading, workStep } from "../../gate/work-step.ts";
import { reasonInWords } from "./reason-in-words.ts";

/** A receipt whose state, or the reason for it, has changed. */
interface ReceiptChange {
  readonly paymentId: string;
  readonly was: PaymentRow["erp_push_status"];
  readonly state: keyof typeof ENTRIES;
  /** The ERP's; null for one that is not there, or whose number is known already. */
  readonly receiptNumber?: string | null;
  readonly reason: ReceiptReason | null;
}

const entry = (id: string) =>
  workStep({
    name: id,
    callers: ["system"],
    async run({ audit }, changes: readonly ReceiptChange[]) {
      const objects = changes.map(({ paymentId, was, state, receiptNumber = null, reason }) => {
        const receipt = stateChange(was, { erp_push_status: state, erp_receipt_number: receiptNumber });
        return {
          type: "payment",
          id: paymentId,
          details: { receipt, ...(reason && { note: reasonInWords(reason) }) },
        };
      });
      audit(objects);
    },
  });

/** What is recorded of each state; that one in the ERP is posted again means that its application was taken back. */
const ENTRIES = {
  processing: entry("recordSentReceipt"),
  failed: entry("recordFailedReceipt"),
  posted: entry("recordPostedReceipt"),
  applied: entry("recordAppliedReceipt"),
  reversed: entry(RECEIPT_MOVES.reversed),
} as const;
const UNAPPLIED = entry(RECEIPT_MOVES.unapplied);

/** Puts what the service saw of receipts into the audit trail: `by` is the job that saw it (completions §12). */
export async function recordReceiptChanges(
  leading: Pick<Leading, "tx" | "core">,
  { tenantId, by }: { tenantId: string; by: "push" | "sync" },
  changes: readonly ReceiptChange[],
): Promise<void> {
  const inRequest = { ...leading, requestId: leading.core.newId() };
  const actor: SystemActor = { kind: "system", tenantId, name: by };
  for (const [state, alike] of Map.groupBy(changes, (change) => change.state)) {
    const operation = state === "posted" && by === "sync" ? UNAPPLIED : ENTRIES[state];
    await operation.within(inRequest, actor, alike);
  }
}
