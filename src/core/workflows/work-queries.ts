import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { Claimed, WorkKind } from "../../store/work-queue.ts";

/** An invoice that a worker looks at. What queues it again meanwhile takes the claim away. */
export type ClaimedWork = Claimed<"workflow_work"> & { attempts: number };

/** What was never tried waits for its day, however far off that is. */
export const WORKFLOW_WORK: WorkKind<"workflow_work"> = {
  table: "workflow_work",
  isWork: sql`true`,
  isAstray: sql`attempts > 0`,
};

/** Takes finished work off the queue, unless something queued it again meanwhile. */
export async function deleteWork(tx: Transaction, work: ClaimedWork): Promise<void> {
  await tx
    .deleteFrom("workflow_work")
    .where("tenant_id", "=", work.tenant_id)
    .where("invoice_id", "=", work.invoice_id)
    .where("claim_id", "is not distinct from", work.claim_id)
    .execute();
}
