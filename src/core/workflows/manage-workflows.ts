import type { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables.ts";
import { committed } from "../committed.ts";
import { type Core, nowOf } from "../core.ts";
import { notFound, ServiceError } from "../error.ts";
import { recordOperatorAct } from "../operator.ts";
import { lockTenantFigures } from "../payment-integrations/integration-queries.ts";
import {
  cancelWorkflowEmails,
  type Messages,
  messagesOf,
  scheduledMessages,
} from "../payment-links/link-email-queries.ts";
import { parseInput } from "../validation.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { planWorkflows, type WorkflowPlan } from "./plan.ts";
import { queueOpenInvoices } from "./queue-queries.ts";
import { emailsToResume, rescheduleEmails } from "./reschedule-emails.ts";
import type { WorkflowType } from "./schema.ts";
import { Enable, type LeftOut, leftOut, refuseForeignSettings, settingsOf } from "./settings.ts";
import { memberAddresses, upsertWorkflow, workflowsOf } from "./settings-queries.ts";

/** A workflow as operators see it: the fields of completions §4 and its settings. */
export interface OperatorWorkflow
  extends Pick<
    WorkflowRow,
    "type" | "name" | "enabled" | "minimum_amount" | "send_at" | "days_before_due" | "created_at" | "updated_at"
  > {
  id: string;
  /** Ids. */
  customers: string[];
  /** Email; null where the workflow has none, or the member was removed. */
  assignee: string | null;
}

/** What enabling a workflow would do, by which settings. */
export interface EnablingPlan extends WorkflowPlan {
  type: WorkflowType;
  settings: Pick<OperatorWorkflow, "send_at" | "days_before_due" | "minimum_amount" | "customers" | "assignee"> &
    LeftOut;
  /** Auto Generate is on, or would be: links are made. */
  auto_generate: boolean;
}

/** A workflow that was turned off, and what customers are still sent. */
export interface DisabledWorkflow extends OperatorWorkflow {
  emails_cancelled: number;
  messages_cancelled: number;
  /** What was kept, and what is being sent at this moment. */
  still_scheduled: Messages;
  timezone: string;
}

const NAMES = { auto_generate: "Auto Generate", payment_arrangement: "Payment Arrangement" } as const;
/** More links, messages or tasks than this at once are somebody's to confirm. */
const UNCONFIRMED = 25;

/** Enabling would do more at once than goes without somebody's word; nothing was changed. */
export class ConfirmationNeeded extends ServiceError {
  readonly plan: EnablingPlan;
  /** What a person types who has read the plan: how many links, or tasks, there will be. */
  readonly expected: string;

  constructor(plan: EnablingPlan) {
    const links = linksIn(plan) > 0 ? [`${linksIn(plan)} payment links`] : [];
    const again = plan.emails_again > 0 ? [`${plan.emails_again} live links mailed again`] : [];
    const mailed = [...links, ...again].join(" and ");
    const messages = mailed === "" ? [] : [`${mailed} in ${plan.messages} messages`];
    const tasks = plan.tasks > 0 ? [`${plan.tasks} tasks`] : [];
    super("conflict", `${[...messages, ...tasks].join(", and ")} at once need a confirmation.`);
    this.plan = plan;
    this.expected = expectedOf(plan);
  }
}

/** Those refused now too: they are made later, where a provider takes them then. */
const linksIn = (plan: WorkflowPlan): number => plan.refused.reduce((sum, { links }) => sum + links, plan.links);

const expectedOf = (plan: WorkflowPlan): string =>
  String([linksIn(plan), plan.tasks, plan.emails_again].find((number) => number > 0) ?? 0);

/**
 * Turns a workflow on, or changes the settings of one that is; it looks at every open invoice anew (completions §7), and
 * the plan says what comes of that. A minimum amount or customers given replace the whole rule. `confirmed` is true, or
 * what a person typed. Throws `validation_failed`, and {@link ConfirmationNeeded} for much at once that is not confirmed.
 */
export async function enableWorkflow(
  core: Core,
  tenantId: string,
  input: z.input<typeof Enable>,
  { confirmed = false }: { confirmed?: boolean | string } = {},
): Promise<OperatorWorkflow & { plan: EnablingPlan }> {
  // The plan looks at every open invoice: deliveries and payments go on meanwhile.
  const plan = await planEnabling(core, tenantId, input);
  const isMuch = Math.max(linksIn(plan), plan.messages, plan.tasks, plan.emails_again) > UNCONFIRMED;
  if (isMuch && confirmed !== true && confirmed !== expectedOf(plan)) throw new ConfirmationNeeded(plan);
  const given = parseInput(Enable, input);
  return core.store.write(tenantId, async (tx) => {
    // Deliveries queue nothing for workflows that are off: they wait here, or are looked at with all the others.
    await lockTenantFigures(tx, tenantId);
    const { row, stored } = await changed(tx, core, tenantId, given);
    await upsertWorkflow(tx, row);
    const isMoved = stored?.send_at !== row.send_at || stored.days_before_due !== row.days_before_due;
    await rescheduleEmails(tx, core, row, { isMoved });
    await queueOpenInvoices(tx, core, tenantId);
    await record(tx, core, row, "enableWorkflow");
    return { ...(await asOperatorWorkflow(tx, row)), plan };
  });
}

/** What {@link enableWorkflow} would do with the same input; nothing is written. Throws `validation_failed`. */
export async function planEnabling(core: Core, tenantId: string, input: z.input<typeof Enable>): Promise<EnablingPlan> {
  const given = parseInput(Enable, input);
  refuseForeignSettings(given);
  return core.store.read(tenantId, async (tx) => {
    const { row, stored, others } = await changed(tx, core, tenantId, given);
    const workflows = [...others, row];
    const again = await emailsToResume(tx, core, row);
    const plan = await planWorkflows(tx, core, tenantId, { workflows, changed: row, again });
    const { send_at, days_before_due, minimum_amount, customers, assignee } = await asOperatorWorkflow(tx, row);
    const settings = { send_at, days_before_due, minimum_amount, customers, assignee, ...leftOut(given, stored) };
    const generates = workflows.some((workflow) => workflow.type === "auto_generate" && workflow.enabled);
    return { ...plan, type: given.type, settings, auto_generate: generates };
  });
}

/** The workflow as it will be, as it is stored, and the workspace's others. */
async function changed(
  tx: Transaction,
  core: Core,
  tenantId: string,
  given: Enable,
): Promise<{ row: WorkflowRow; stored: WorkflowRow | undefined; others: WorkflowRow[] }> {
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

/**
 * Turns a workflow off. Emails that it scheduled and that are not being sent are cancelled, unless `keepScheduled`;
 * tasks and links it made stay. Throws `not_found`.
 */
export async function disableWorkflow(
  core: Core,
  tenantId: string,
  type: WorkflowType,
  { keepScheduled = false }: { keepScheduled?: boolean } = {},
): Promise<DisabledWorkflow> {
  const disable = async (tx: Transaction): Promise<DisabledWorkflow> => {
    await lockTenantFigures(tx, tenantId);
    const stored = (await workflowsOf(tx, tenantId)).find((workflow) => workflow.type === type);
    if (stored === undefined) throw notFound("workflow");
    const now = nowOf(core);
    const row = stored.enabled ? { ...stored, enabled: false, updated_at: now } : stored;
    await upsertWorkflow(tx, row);
    const { workflow_id: workflowId } = row;
    const cancelled = keepScheduled ? [] : await cancelWorkflowEmails(tx, tenantId, { workflowId, now });
    if (stored.enabled || cancelled.length > 0) await record(tx, core, row, "disableWorkflow");
    else core.onUnchanged?.();
    return {
      ...(await asOperatorWorkflow(tx, row)),
      emails_cancelled: cancelled.length,
      messages_cancelled: (await messagesOf(tx, tenantId, cancelled)).messages,
      still_scheduled: await scheduledMessages(tx, tenantId, { workflowId }),
      timezone: await timezoneOf(tx, tenantId),
    };
  };
  return committed(() => core.store.write(tenantId, disable));
}

/** A workspace's workflows, disabled ones too, oldest first. */
export function listOperatorWorkflows(core: Pick<Core, "store">, tenantId: string): Promise<OperatorWorkflow[]> {
  return core.store.read(tenantId, async (tx) => {
    const shown: OperatorWorkflow[] = [];
    for (const row of await workflowsOf(tx, tenantId)) shown.push(await asOperatorWorkflow(tx, row));
    return shown;
  });
}

function record(tx: Transaction, core: Core, row: WorkflowRow, operation: string): Promise<void> {
  const { tenant_id: tenantId, workflow_id: objectId } = row;
  return recordOperatorAct(tx, core, { tenantId, operation, objectType: "workflow", objectId });
}

async function asOperatorWorkflow(tx: Transaction, row: WorkflowRow): Promise<OperatorWorkflow> {
  const members = row.assignee_id === null ? [] : await memberAddresses(tx, row.tenant_id);
  const { workflow_id: id, type, name, enabled, minimum_amount, customer_ids, send_at, days_before_due } = row;
  const { created_at, updated_at } = row;
  return {
    id,
    type,
    name,
    enabled,
    minimum_amount,
    customers: customer_ids?.split(" ") ?? [],
    assignee: members.find((member) => member.member_id === row.assignee_id)?.email ?? null,
    send_at,
    days_before_due,
    created_at,
    updated_at,
  };
}
