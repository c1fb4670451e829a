import { z } from "zod";
import type { ExecutionReason } from "../../../store/tables/workflows.ts";
import WORKFLOW_SENTENCES from "../../../workflow-sentences.json" with { type: "json" };
import { PAGES_READ, RECEIVABLES_READ } from "../../gate/actor.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { listing } from "../../gate/listing.ts";
import { operation, SETTINGS_READ } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { scheduledMessages } from "../../payment-links/emails/link-email-queries.ts";
import { EXECUTION_FILTERS, ScheduledMessages, WORKFLOW_FILTERS, Workflow, WorkflowExecution } from "../schema.ts";
import { OperatorWorkflow, operatorWorkflowsOf } from "../settings.ts";
import { matchingExecutions, matchingHistory, matchingWorkflows } from "../settings-queries.ts";

/** completions §5. */
export const listWorkflows = operation(
  listing({
    id: "listWorkflows",
    tag: "Workflows",
    summary: "List workflows",
    description:
      "Newest first. `auto_generate` creates payment links and emails them, `payment_arrangement` opens tasks.",
    ...RECEIVABLES_READ,
    input: z.strictObject({ ...WORKFLOW_FILTERS, ...LIST_PARAMETERS }),
    row: Workflow,
    query: matchingWorkflows,
    columns: { createdAt: "workflows.created_at", id: "workflows.workflow_id" },
    onWire: workflowOnWire,
  }),
);

/** One workflow (completions §13). Throws `not_found`. */
export const getWorkflow = operation({
  id: "getWorkflow",
  tag: "Workflows",
  summary: "Read a workflow",
  description: "What it is and whether it is on; what it did is in its executions.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ workflow_id: Uuid.describe("Workflow id") }),
  output: Workflow,
  async run({ actor, tx }, { workflow_id: id }) {
    const workflow = orNotFound(
      await matchingWorkflows(tx, actor.tenantId, {}).where("workflow_id", "=", id).executeTakeFirst(),
      "workflow",
    );
    return workflowOnWire(workflow);
  },
});

function workflowOnWire<Row extends { workflow_id: string }>({ workflow_id: id, ...shown }: Row) {
  return { id, ...shown };
}

/** completions §5; by when they started. */
export const listWorkflowExecutions = operation(
  listing({
    id: "listWorkflowExecutions",
    tag: "Workflows",
    summary: "List workflow executions",
    description:
      "Newest first, by when they started. One for each look at an invoice that did something, or would not and said why; a reason that still holds is not repeated.",
    ...RECEIVABLES_READ,
    input: z.strictObject({ ...EXECUTION_FILTERS, ...LIST_PARAMETERS }),
    row: WorkflowExecution,
    query: matchingExecutions,
    columns: { createdAt: "workflow_executions.started_at", id: "workflow_executions.workflow_execution_id" },
    onWire: executionOnWire,
  }),
);

/** Why a workflow did nothing, or not all, as callers see it; where a person decided so, the name of that (completions §12). */
const reasonInWords = (reason: ExecutionReason) =>
  WORKFLOW_SENTENCES[reason.code].replace(/\{(\w+)\}/g, (_, name: string) =>
    [Reflect.get(reason, name)].flat().join(" "),
  );

/** An execution as callers see it (completions §4). */
function executionOnWire<
  Row extends { workflow_execution_id: string; created_at: string; reason: ExecutionReason | null },
>({ workflow_execution_id: id, created_at: started_at, reason, ...shown }: Row) {
  return { id, ...shown, reason: reason && reasonInWords(reason), started_at };
}

/** An execution with the invoice's number and customer. */
export const HistoryEntry = WorkflowExecution.extend({
  invoice_number: z.string().nullable(),
  customer_name: z.string().nullable(),
});

/** The executions of completions §5 as people read them; by when they started. */
export const listWorkflowHistory = operation(
  listing({
    id: "listWorkflowHistory",
    summary: "List workflow executions with their invoices",
    ...PAGES_READ,
    input: z.strictObject({ ...EXECUTION_FILTERS, ...LIST_PARAMETERS }),
    row: HistoryEntry,
    query: matchingHistory,
    columns: { createdAt: "workflow_executions.started_at", id: "workflow_executions.workflow_execution_id" },
    onWire: executionOnWire,
  }),
);

/** The workflows of a workspace with their settings, oldest first, and what each has scheduled. */
export const listWorkflowSettings = operation({
  id: "listWorkflowSettings",
  summary: "The workflows of a workspace and their settings",
  ...SETTINGS_READ,
  input: z.strictObject({}),
  output: z.strictObject({
    data: z.array(
      OperatorWorkflow.extend({
        scheduled: ScheduledMessages,
      }),
    ),
  }),
  async run({ tx, actor: { tenantId } }) {
    const data = [];
    for (const workflow of await operatorWorkflowsOf(tx, tenantId))
      data.push({ ...workflow, scheduled: await scheduledMessages(tx, tenantId, { workflowId: workflow.id }) });
    return { data };
  },
});
