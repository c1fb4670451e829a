import type { Generated } from "kysely";
import type WORKFLOW_SENTENCES from "../../workflow-sentences.json";
import type { StoredAmount, StoredInstant, WorkColumns } from "./values.ts";

export interface TaskRow {
  tenant_id: string;
  task_id: string;
  type: "payment_arrangement";
  invoice_id: string;
  assignee_id: string | null;
  state: "open" | "configured" | "dismissed" | "not_needed";
  configured_at: StoredInstant | null;
  dismissed_at: StoredInstant | null;
  created_at: StoredInstant;
}

export interface WorkflowRow {
  tenant_id: string;
  workflow_id: string;
  type: "auto_generate" | "payment_arrangement";
  name: string;
  enabled: boolean;
  /** `payment_arrangement`: matches invoices of at least this amount, in their own currency. */
  minimum_amount: StoredAmount | null;
  /** `payment_arrangement`: matches these customers. */
  customer_ids: string[] | null;
  /** `payment_arrangement`: the member who is notified. */
  assignee_id: string | null;
  /** `auto_generate`: time of day, `HH:MM` in the workspace's timezone, at which links are mailed. */
  send_at: string | null;
  /** `auto_generate`: what falls due later than this many days from now gets no link yet (completions §7). */
  days_before_due: number | null;
  created_at: StoredInstant;
  updated_at: StoredInstant;
}

/** Why a workflow did nothing, or not all: a code of `workflow-sentences.json`, and what fills the gaps of its sentence. */
export interface ExecutionReason {
  readonly code: keyof typeof WORKFLOW_SENTENCES;
  /** Links that could not be made, of how many, and what refused them, in its own words. */
  readonly refused?: number;
  readonly of?: number;
  readonly errors?: readonly string[];
}

export interface WorkflowExecutionRow {
  tenant_id: string;
  workflow_execution_id: string;
  workflow_id: string;
  invoice_id: string;
  status: "succeeded" | "skipped" | "failed";
  outcome: "link_created" | "task_opened" | "none";
  reason: ExecutionReason | null;
  started_at: StoredInstant;
  finished_at: StoredInstant;
}

/** An invoice that the workflows have yet to look at: something moved it. */
export interface WorkflowWorkRow extends WorkColumns {
  tenant_id: string;
  invoice_id: string;
  next_attempt_at: StoredInstant;
  /** Since when it waits, or from when on where it is put off. */
  queued_at: Generated<StoredInstant>;
}
