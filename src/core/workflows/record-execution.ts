import type { Transaction } from "../../store/store.ts";
import type { WorkflowExecutionRow } from "../../store/tables/workflows.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { hasExecution, hasReasonSince, insertExecution, lastExecution, type Run } from "./run-queries.ts";

type Ending = Pick<WorkflowExecutionRow, "status" | "outcome" | "reason">;
type Parts = Pick<Core, "clock" | "newId">;

/**
 * Records what a workflow did with an invoice, or why it did nothing (completions §4). Doing nothing twice in a row for the
 * same reason is recorded once.
 */
export async function recordExecution(tx: Transaction, core: Parts, run: Run, ending: Ending): Promise<void> {
  if (ending.outcome === "none") {
    const last = await lastExecution(tx, run);
    if (last?.outcome === "none" && last.status === ending.status && last.reason === ending.reason) return;
  }
  await insertExecution(tx, {
    tenant_id: run.tenantId,
    workflow_execution_id: core.newId(),
    workflow_id: run.workflowId,
    invoice_id: run.invoiceId,
    ...ending,
    started_at: run.startedAt,
    finished_at: nowOf(core),
  });
}

/** The same for links that were made: one row for all links of a run. The invoice is locked. */
export async function recordLinksMade(tx: Transaction, core: Parts, run: Run): Promise<void> {
  const made = { status: "succeeded", outcome: "link_created", reason: null } as const;
  if (!(await hasExecution(tx, run, made.outcome))) await recordExecution(tx, core, run, made);
}

const WITHDRAWN = { status: "skipped", outcome: "none", reason: "withdrawn_by_person" } as const;

/** The same for links that are not made because a person withdrew them (completions §12): once after the latest withdrawal. */
export async function recordWithdrawn(tx: Transaction, core: Parts, run: Run, since: string): Promise<void> {
  const isTold = await hasReasonSince(tx, run, { reason: WITHDRAWN.reason, since });
  if (!isTold) await recordExecution(tx, core, run, WITHDRAWN);
}
