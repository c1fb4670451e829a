import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables/workflows.ts";
import { Workflow } from "./schema.ts";
import { memberAddresses, workflowsOf } from "./settings-queries.ts";

/** A workflow's settings as operators see them. */
export const Settings = z.strictObject({
  minimum_amount: z.string().nullable(),
  customers: z.array(z.string()).describe("Ids"),
  assignee: z.string().nullable().describe("Email; null where the workflow has none, or the member was removed"),
  send_at: z.string().nullable(),
  days_before_due: z.int().nullable(),
});

/** A workflow as operators see it: the fields of completions §4 and its settings. */
export const OperatorWorkflow = Workflow.extend(Settings.shape);
export type OperatorWorkflow = z.output<typeof OperatorWorkflow>;

/** A workspace's workflows, disabled ones too, oldest first. */
export async function operatorWorkflowsOf(tx: Transaction, tenantId: string): Promise<OperatorWorkflow[]> {
  const shown: OperatorWorkflow[] = [];
  for (const row of await workflowsOf(tx, tenantId)) shown.push(await asOperatorWorkflow(tx, row));
  return shown;
}

export async function asOperatorWorkflow(tx: Transaction, row: WorkflowRow): Promise<OperatorWorkflow> {
  const { workflow_id: id, type, name, enabled, created_at, updated_at } = row;
  return { id, type, name, enabled, ...(await shownSettings(tx, row)), created_at, updated_at };
}

export async function shownSettings(tx: Transaction, row: WorkflowRow): Promise<z.output<typeof Settings>> {
  const members = row.assignee_id === null ? [] : await memberAddresses(tx, row.tenant_id);
  const { minimum_amount, customer_ids, send_at, days_before_due } = row;
  return {
    minimum_amount,
    customers: customer_ids ?? [],
    assignee: members.find((member) => member.member_id === row.assignee_id)?.email ?? null,
    send_at,
    days_before_due,
  };
}
