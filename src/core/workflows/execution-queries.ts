import type { Transaction } from "../../store/store.ts";
import type { WorkflowExecutionRow } from "../../store/tables/workflows.ts";

/** One run of a workflow for an invoice. */
export interface Run {
  readonly tenantId: string;
  readonly workflowId: string;
  readonly invoiceId: string;
  readonly startedAt: string;
}

type RunOfInvoice = Omit<Run, "startedAt">;

/** What a workflow did with an invoice, unordered. */
function executionsOf(tx: Transaction, { tenantId, workflowId, invoiceId }: RunOfInvoice) {
  return tx
    .selectFrom("workflow_executions")
    .where((column) => column.and({ tenant_id: tenantId, workflow_id: workflowId, invoice_id: invoiceId }));
}

/** What a workflow last did with an invoice. */
export function lastExecution(tx: Transaction, run: RunOfInvoice) {
  return executionsOf(tx, run)
    .select(["status", "outcome", "reason"])
    .orderBy("started_at", "desc")
    .orderBy("finished_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Whether a run is in the history with that outcome. */
export async function hasExecution(tx: Transaction, run: Run, outcome: WorkflowExecutionRow["outcome"]) {
  const row = await executionsOf(tx, run)
    .select("workflow_execution_id")
    .where((column) => column.and({ started_at: run.startedAt, outcome }))
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the history has, at or after an instant, that a workflow did nothing with an invoice for a reason. */
export async function hasReasonSince(
  tx: Transaction,
  run: RunOfInvoice,
  { reason, since }: { reason: string; since: string },
): Promise<boolean> {
  const row = await executionsOf(tx, run)
    .select("workflow_execution_id")
    .where("started_at", ">=", since)
    .where((column) => column.and({ outcome: "none", reason }))
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertExecution(tx: Transaction, row: WorkflowExecutionRow): Promise<void> {
  await tx.insertInto("workflow_executions").values(row).execute();
}
