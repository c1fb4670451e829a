import type { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables/workflows.ts";
import { assertErpsSeen } from "../erp-access/assert-seen.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { workStep } from "../gate/work-step.ts";
import { parseInput } from "../kernel/validation.ts";
import { planMessage, planWorkflows } from "./plan.ts";
import type { EnablingPlan } from "./plan-schema.ts";
import type { PlannedMessage } from "./planned-messages.ts";
import { emailsToSchedule, movesEmails } from "./reschedule-emails.ts";
import { Enable, type LeftOut, leftOut, refuseForeignSettings, settingsOf, shownSettings } from "./settings.ts";
import { workflowsOf } from "./settings-queries.ts";

const NAMES = { auto_generate: "Auto Generate", payment_arrangement: "Payment Arrangement" } as const;

/** What enabling a workflow with the same settings would do; nothing is written. Throws `validation_failed`, `conflict`. */
export const planEnabling = workStep({
  in: "workspace",
  run: ({ tx, core, tenantId }, input: z.input<typeof Enable>) =>
    planGiven(tx, core, tenantId, parseInput(Enable, input)),
});

/** The same in a transaction. */
export async function planGiven(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { skip = 0, ...given }: Enable & { skip?: number },
): Promise<EnablingPlan> {
  refuseForeignSettings(given);
  await assertErpsSeen(tx, tenantId);
  const { row, stored, others } = await changedWorkflow(tx, core, tenantId, given);
  return planOf(tx, core, { row, stored, others, origin: leftOut(given, stored), skip });
}

/** The message of this plan that asks for an installment; undefined without one. Throws `validation_failed`. */
export async function messageGiven(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { installmentId, ...given }: Enable & { installmentId: string },
): Promise<PlannedMessage | undefined> {
  refuseForeignSettings(given);
  const { row, stored, others } = await changedWorkflow(tx, core, tenantId, given);
  const again = await emailsToSchedule(tx, core, row, { isMoved: movesEmails(row, stored) });
  return planMessage(tx, core, tenantId, { workflows: [...others, row], again, installmentId });
}

/**
 * What the workspace's enabled workflows would do now by their stored settings; the plan shows Auto Generate's where that is
 * enabled. Null where none is.
 */
export async function planOfEnabled(tx: Transaction, core: Core, tenantId: string): Promise<EnablingPlan | null> {
  const workflows = await workflowsOf(tx, tenantId);
  const enabled = workflows.filter((workflow) => workflow.enabled);
  const row = enabled.find(({ type }) => type === "auto_generate") ?? enabled[0];
  if (row === undefined) return null;
  const others = workflows.filter((workflow) => workflow !== row);
  return planOf(tx, core, { row, stored: row, others, origin: { kept: [], defaults: [] } });
}

/** A workflow with the given settings, the stored one, and the workspace's others. */
interface Changed {
  readonly row: WorkflowRow;
  readonly stored: WorkflowRow | undefined;
  readonly others: readonly WorkflowRow[];
}

/** What settings make of a workflow. Throws `validation_failed`. */
export async function changedWorkflow(tx: Transaction, core: Core, tenantId: string, given: Enable): Promise<Changed> {
  const workflows = await workflowsOf(tx, tenantId);
  const stored = workflows.find((workflow) => workflow.type === given.type);
  const now = nowOf(core);
  const row: WorkflowRow = {
    tenant_id: tenantId,
    workflow_id: stored?.workflow_id ?? core.newId(),
    type: given.type,
    name: NAMES[given.type],
    enabled: true,
    ...(await settingsOf(tx, tenantId, given, stored)),
    created_at: stored?.created_at ?? now,
    updated_at: now,
  };
  return { row, stored, others: workflows.filter((workflow) => workflow !== stored) };
}

async function planOf(
  tx: Transaction,
  core: Core,
  { row, stored, others, origin, skip = 0 }: Changed & { origin: LeftOut; skip?: number },
): Promise<EnablingPlan> {
  const workflows = [...others, row];
  const again = await emailsToSchedule(tx, core, row, { isMoved: movesEmails(row, stored) });
  return {
    ...(await planWorkflows(tx, core, row.tenant_id, { workflows, changed: row, again, skip })),
    type: row.type,
    settings: { ...(await shownSettings(tx, row)), ...origin },
    auto_generate: workflows.some((workflow) => workflow.type === "auto_generate" && workflow.enabled),
  };
}
