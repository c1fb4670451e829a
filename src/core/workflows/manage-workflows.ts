import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables.ts";
import { type Core, nowOf } from "../core.ts";
import type { ErrorDetail } from "../error.ts";
import { notFound } from "../error.ts";
import { MONEY_PATTERN, money, ZERO } from "../money.ts";
import { recordOperatorAct } from "../operator.ts";
import { lockTenantFigures } from "../payment-integrations/integration-queries.ts";
import { parseInput, Uuid, validationFailed } from "../validation.ts";
import { queueOpenInvoices } from "./queue-queries.ts";
import { WorkflowType } from "./schema.ts";
import { TIME_OF_DAY } from "./send-time.ts";
import { knownCustomers, memberAddresses, upsertWorkflow, workflowsOf } from "./settings-queries.ts";

/** A workflow as operators see it: the fields of completions §4 and its settings. */
export interface OperatorWorkflow
  extends Pick<WorkflowRow, "type" | "name" | "enabled" | "minimum_amount" | "send_at" | "created_at" | "updated_at"> {
  id: string;
  /** Ids. */
  customers: string[];
  /** Email; null where the workflow has none, or the member was removed. */
  assignee: string | null;
}

/** What an operator says of a workflow; what is left out stays as it was (contract: `workflow enable`). */
export const WorkflowInput = {
  type: WorkflowType,
  /** In the currency of whatever invoice it is compared with. */
  minimumAmount: z
    .string()
    .max(50)
    .refine((text) => MONEY_PATTERN.test(text) && money(text).greaterThan(ZERO), "must be an exact amount above zero"),
  customers: z
    .array(Uuid)
    .min(1)
    .max(1_000)
    .transform((ids) => [...new Set(ids)]),
  assignee: z.string().trim().toLowerCase(),
  sendAt: z.string().regex(TIME_OF_DAY, "must be a time of day HH:MM between 00:00 and 23:59"),
};

const I = WorkflowInput;
const Enable = z.strictObject({
  type: I.type,
  minimumAmount: I.minimumAmount.optional(),
  customers: I.customers.optional(),
  assignee: I.assignee.optional(),
  sendAt: I.sendAt.optional(),
});
type Enable = z.output<typeof Enable>;

const NAMES = { auto_generate: "Auto Generate", payment_arrangement: "Payment Arrangement" } as const;
const DEFAULT_SEND_AT = "09:00";
/** Which settings are a type's own. */
const SETTINGS = {
  auto_generate: ["sendAt"],
  payment_arrangement: ["minimumAmount", "customers", "assignee"],
} as const satisfies Record<WorkflowType, readonly (keyof Enable)[]>;

/**
 * Turns a workflow on, or changes the settings of one that is; it looks at every open invoice anew (completions §7). A
 * minimum amount or customers given replace the whole rule. Throws `validation_failed`.
 */
export async function enableWorkflow(
  core: Core,
  tenantId: string,
  input: z.input<typeof Enable>,
): Promise<OperatorWorkflow> {
  const given = parseInput(Enable, input);
  refuseForeignSettings(given);
  return core.store.write(tenantId, async (tx) => {
    // Deliveries queue nothing for workflows that are off: they wait here, or are looked at with all the others.
    await lockTenantFigures(tx, tenantId);
    const stored = (await workflowsOf(tx, tenantId)).find((workflow) => workflow.type === given.type);
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
    await upsertWorkflow(tx, row);
    await queueOpenInvoices(tx, core, tenantId);
    await record(tx, core, row, "enableWorkflow");
    return asOperatorWorkflow(tx, row);
  });
}

/** Turns a workflow off; tasks, links and emails it made stay. Throws `not_found`. */
export async function disableWorkflow(core: Core, tenantId: string, type: WorkflowType): Promise<OperatorWorkflow> {
  return core.store.write(tenantId, async (tx) => {
    await lockTenantFigures(tx, tenantId);
    const stored = (await workflowsOf(tx, tenantId)).find((workflow) => workflow.type === type);
    if (stored === undefined) throw notFound("workflow");
    const row = stored.enabled ? { ...stored, enabled: false, updated_at: nowOf(core) } : stored;
    await upsertWorkflow(tx, row);
    await record(tx, core, row, "disableWorkflow");
    return asOperatorWorkflow(tx, row);
  });
}

/** A workspace's workflows, disabled ones too, oldest first. */
export function listOperatorWorkflows(core: Pick<Core, "store">, tenantId: string): Promise<OperatorWorkflow[]> {
  return core.store.read(tenantId, async (tx) => {
    const shown: OperatorWorkflow[] = [];
    for (const row of await workflowsOf(tx, tenantId)) shown.push(await asOperatorWorkflow(tx, row));
    return shown;
  });
}

function refuseForeignSettings({ type, ...given }: Enable): void {
  const own: readonly string[] = SETTINGS[type];
  const foreign = Object.entries(given).filter(([name, value]) => value !== undefined && !own.includes(name));
  if (foreign.length > 0)
    throw validationFailed(foreign.map(([field]) => ({ field, message: `is not a setting of ${type}` })));
}

type Settings = Pick<WorkflowRow, "minimum_amount" | "customer_ids" | "assignee_id" | "send_at">;

async function settingsOf(
  tx: Transaction,
  tenantId: string,
  given: Enable,
  stored: WorkflowRow | undefined,
): Promise<Settings> {
  if (given.type === "auto_generate") {
    const sendAt = given.sendAt ?? stored?.send_at ?? DEFAULT_SEND_AT;
    return { minimum_amount: null, customer_ids: null, assignee_id: null, send_at: sendAt };
  }
  const { minimumAmount, customers, assignee } = given;
  const ruled = minimumAmount !== undefined || customers !== undefined;
  const settings: Settings = {
    minimum_amount: ruled ? (minimumAmount ?? null) : (stored?.minimum_amount ?? null),
    customer_ids: ruled ? (customers?.join(" ") ?? null) : (stored?.customer_ids ?? null),
    assignee_id: stored?.assignee_id ?? null,
    send_at: null,
  };
  const faults: ErrorDetail[] = [];
  if (settings.minimum_amount === null && settings.customer_ids === null)
    faults.push({ field: "minimumAmount", message: "or a customer is needed: the workflow must have a rule" });
  if (customers !== undefined) {
    const known = await knownCustomers(tx, tenantId, customers);
    customers.forEach((id, index) => {
      if (!known.has(id)) faults.push({ field: `customers[${index}]`, message: "is not a customer of the workspace" });
    });
  }
  const members = await memberAddresses(tx, tenantId);
  const assigned = members.find((member) =>
    assignee === undefined ? member.member_id === settings.assignee_id : member.email === assignee,
  );
  if (assigned === undefined) {
    const message = assignee === undefined ? "is needed: a member to notify" : "is not a member of the workspace";
    faults.push({ field: "assignee", message });
  }
  if (faults.length > 0) throw validationFailed(faults);
  return { ...settings, assignee_id: assigned?.member_id ?? null };
}

function record(tx: Transaction, core: Core, row: WorkflowRow, operation: string): Promise<void> {
  const { tenant_id: tenantId, workflow_id: objectId } = row;
  return recordOperatorAct(tx, core, { tenantId, operation, objectType: "workflow", objectId });
}

async function asOperatorWorkflow(tx: Transaction, row: WorkflowRow): Promise<OperatorWorkflow> {
  const members = row.assignee_id === null ? [] : await memberAddresses(tx, row.tenant_id);
  const { workflow_id: id, type, name, enabled, minimum_amount, customer_ids, send_at, created_at, updated_at } = row;
  return {
    id,
    type,
    name,
    enabled,
    minimum_amount,
    customers: customer_ids?.split(" ") ?? [],
    assignee: members.find((member) => member.member_id === row.assignee_id)?.email ?? null,
    send_at,
    created_at,
    updated_at,
  };
}
