import { z } from "zod";
import { Instant, nameSchemas, Uuid } from "../kernel/wire-types.ts";

export const WorkflowType = z.enum(["auto_generate", "payment_arrangement"]);
export type WorkflowType = z.output<typeof WorkflowType>;
export const ExecutionStatus = z.enum(["succeeded", "skipped", "failed"]);

/** completions §4. */
export const Workflow = z.strictObject({
  id: Uuid,
  type: WorkflowType,
  name: z.string(),
  enabled: z.boolean(),
  created_at: Instant,
  updated_at: Instant,
});

/** completions §4. */
export const WorkflowExecution = z.strictObject({
  id: Uuid,
  workflow_id: Uuid,
  workflow_type: WorkflowType,
  invoice_id: Uuid,
  status: ExecutionStatus,
  outcome: z.enum(["link_created", "task_opened", "none"]),
  reason: z.string().nullable(),
  started_at: Instant,
  finished_at: Instant,
});

/** The messages that a workflow has scheduled. */
export const ScheduledMessages = z.strictObject({ messages: z.int(), links: z.int(), first_at: z.string().nullable() });

/** Filters of completions §5. */
export const WORKFLOW_FILTERS = {
  enabled: z.boolean().optional().describe("Whether it runs"),
  type: WorkflowType.optional().describe("Workflow type"),
};
export const EXECUTION_FILTERS = {
  workflow_id: Uuid.optional().describe("Workflow"),
  invoice_id: Uuid.optional().describe("Invoice"),
  status: ExecutionStatus.optional().describe("How it ended"),
};

export type WorkflowFilters = z.output<z.ZodObject<typeof WORKFLOW_FILTERS>>;
export type ExecutionFilters = z.output<z.ZodObject<typeof EXECUTION_FILTERS>>;

nameSchemas({
  ExecutionOutcome: WorkflowExecution.shape.outcome,
  ExecutionStatus,
  Workflow,
  WorkflowExecution,
  WorkflowType,
});
