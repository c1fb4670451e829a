import { type Selectable, sql } from "kysely";
import { dueRows } from "../../store/due-rows.ts";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowWorkRow } from "../../store/tables.ts";

/** An invoice that a worker has taken up, until `due_at`: from then on another may. */
export type ClaimedWork = Omit<Selectable<WorkflowWorkRow>, "queued_at">;

const WORK = {
  table: "workflow_work",
  key: ["tenant_id", "invoice_id"],
  time: "due_at",
  ties: ["tenant_id", "invoice_id"],
  where: sql`true`,
  astray: sql`attempts > 0`,
};

/**
 * Takes up invoices whose workflows are due, of all tenants; what another worker is taking up is passed over. A lease or a
 * retry beyond `farthest` counts as due: a clock was wrong then. What was never tried waits for its day.
 */
export async function claimWork(
  tx: Transaction,
  { now, leaseUntil, farthest, limit }: { now: string; leaseUntil: string; farthest: string; limit: number },
): Promise<ClaimedWork[]> {
  const { rows } = await sql<ClaimedWork>`
    update workflow_work as work set due_at = ${leaseUntil}, attempts = work.attempts + 1
    from (${dueRows(WORK, { now, farthest }, limit)}) as due
    where work.tenant_id = due.tenant_id and work.invoice_id = due.invoice_id
    returning work.tenant_id, work.invoice_id, work.due_at, work.attempts`.execute(tx);
  return rows;
}

/** Takes finished work off the queue, unless something queued it again meanwhile. */
export async function deleteWork(tx: Transaction, work: ClaimedWork): Promise<void> {
  await tx
    .deleteFrom("workflow_work")
    .where("tenant_id", "=", work.tenant_id)
    .where("invoice_id", "=", work.invoice_id)
    .where("due_at", "=", work.due_at)
    .execute();
}

/** When an invoice is looked at again. */
export interface Postponement {
  readonly dueAt: string;
  /** Counted from there on. */
  readonly attempts: number;
}

/** Puts work off, unless something queued it again meanwhile. */
export async function postponeWork(
  tx: Transaction,
  work: ClaimedWork,
  { dueAt, attempts }: Postponement,
): Promise<void> {
  await tx
    .updateTable("workflow_work")
    .set({ due_at: dueAt, attempts })
    .where("tenant_id", "=", work.tenant_id)
    .where("invoice_id", "=", work.invoice_id)
    .where("due_at", "=", work.due_at)
    .execute();
}
