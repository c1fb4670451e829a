import type { Transaction } from "../../store/store.ts";
import type { WorkflowExecutionRow } from "../../store/tables/workflows.ts";
import { type Core, nowOf } from "../gate/core.ts";
import { hasExecution, hasReasonSince, insertExecution, lastExecution } from "./run-queries.ts";

/** One look of a workflow at an invoice. */
export interface Run {
  readonly tenantId: string;
  readonly workflowId: string;
  readonly invoiceId: string;
  readonly startedAt: string;
}

type Ending = Pick<WorkflowExecutionRow, "status" | "outcome" | "reason">;
type Parts = Pick<Core, "clock" | "newId">;

/**
 * Writes into the history what a workflow did with an invoice, or would not do (completions §4). That it did nothing, for
 * the reason that is the last word on the invoice already, is no news and leaves no row.
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

/** The same of links that were made, once however many the run made. The invoice is locked. */
export async function recordLinksMade(tx: Transaction, core: Parts, run: Run): Promise<void> {
  const made = { status: "succeeded", outcome: "link_created", reason: null } as const;
  if (!(await hasExecution(tx, run, made.outcome))) await recordExecution(tx, core, run, made);
}

const WITHDRAWN = { status: "skipped", outcome: "none", reason: "withdrawn_by_person" } as const;

/** The same of links that are not made because a person withdrew them (completions §12): once since the latest of them. */
export async function recordWithdrawn(tx: Transaction, core: Parts, run: Run, since: string): Promise<void> {
  const isTold = await hasReasonSince(tx, run, { reason: WITHDRAWN.reason, since });
  if (!isTold) await recordExecution(tx, core, run, WITHDRAWN);
}
