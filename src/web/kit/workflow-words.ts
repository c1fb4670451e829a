import type { z } from "zod";
import type { listWorkflowSettings } from "../../core/workflows/operations/list-workflow-settings.ts";
import type { WorkflowType } from "../../core/workflows/schema.ts";

/** A workflow as its page shows it. */
export type ShownWorkflow = z.output<typeof listWorkflowSettings.output>["data"][number];

/** What people call the workflows. */
export const WORKFLOW_NAMES: Readonly<Record<WorkflowType, string>> = {
  auto_generate: "Auto Generate",
  payment_arrangement: "Payment Arrangement",
};

/** What each does, in a sentence. */
export const WORKFLOW_WORDS: Readonly<Record<WorkflowType, string>> = {
  auto_generate:
    "Makes a payment link for what is overdue or due soon, and mails each customer one message a day with all of theirs.",
  payment_arrangement:
    "Opens a task for invoices that need a person, and holds Auto Generate back from them until it is dismissed.",
};

/** The type in an address; undefined for other text. */
export function workflowTypeOf(text: string | undefined): WorkflowType | undefined {
  return text === "auto_generate" || text === "payment_arrangement" ? text : undefined;
}
