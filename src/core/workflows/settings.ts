import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables/workflows.ts";
import type { ErrorDetail } from "../kernel/error.ts";
import { MONEY_LENGTH, MONEY_PATTERN, money, ZERO } from "../kernel/money.ts";
import { validationFailed } from "../kernel/validation.ts";
import { Uuid } from "../kernel/wire-types.ts";
import { DEFAULT_SEND_AT, TIME_OF_DAY } from "../payment-links/emails/send-time.ts";
import { Workflow, WorkflowType } from "./schema.ts";
import { knownCustomers, memberAddresses, workflowsOf } from "./settings-queries.ts";

const MOST_DAYS = 365;
const DAYS_BOUNDS = `must be a whole number from 0 to ${MOST_DAYS}`;

/** What an operator says of a workflow; what is left out stays as it was (contract: `workflow enable`). */
const WorkflowSettings = z.strictObject({
  /** Null: no minimum amount any more; likewise the customers. One of the two there has to be. */
  minimumAmount: z
    .string()
    .max(MONEY_LENGTH)
    .refine((text) => MONEY_PATTERN.test(text) && money(text).greaterThan(ZERO), "must be an exact amount above zero")
    .describe("payment_arrangement: matches invoices of at least this amount, in their own currency")
    .nullable(),
  customers: z
    .array(Uuid)
    .min(1)
    .max(1_000)
    .transform((ids) => [...new Set(ids)])
    .nullable(),
  assignee: z
    .string()
    .trim()
    .toLowerCase()
    .max(320)
    .describe("payment_arrangement: the member who is notified of each task"),
  sendAt: z
    .string()
    .regex(TIME_OF_DAY, "must be a time of day HH:MM between 00:00 and 23:59")
    .describe(
      "auto_generate: when links are mailed, in the workspace's timezone (09:00 the first time, then as before)",
    ),
  daysBeforeDue: z
    .int()
    .min(0, DAYS_BOUNDS)
    .max(MOST_DAYS, DAYS_BOUNDS)
    .describe(
      "auto_generate: links for what is overdue or due within this many days, 0 to 365 (7 the first time, then as before)",
    ),
});

export const Enable = z.strictObject({
  type: WorkflowType.describe("which workflow"),
  ...WorkflowSettings.partial().shape,
});
export type Enable = z.output<typeof Enable>;

export const DEFAULT_DAYS_BEFORE_DUE = 7;
/** Which settings are a type's own. */
const SETTINGS = {
  auto_generate: ["daysBeforeDue", "sendAt"],
  payment_arrangement: ["minimumAmount", "customers", "assignee"],
} as const satisfies Record<WorkflowType, readonly (keyof Enable)[]>;

/** Throws `validation_failed` for settings of another type of workflow. */
export function refuseForeignSettings({ type, ...given }: Enable) {
  const own: readonly string[] = SETTINGS[type];
  const foreign = Object.entries(given).filter(([name, value]) => value !== undefined && !own.includes(name));
  if (foreign.length > 0)
    throw validationFailed(foreign.map(([field]) => ({ field, message: `is not a setting of ${type}` })));
}

/** A setting as operators see it. */
export const SettingName = z.enum(["send_at", "days_before_due", "minimum_amount", "customers", "assignee"]);
type SettingName = z.output<typeof SettingName>;

const NAMES = {
  sendAt: "send_at",
  daysBeforeDue: "days_before_due",
  minimumAmount: "minimum_amount",
  customers: "customers",
  assignee: "assignee",
} as const satisfies Record<Exclude<keyof Enable, "type">, SettingName>;

/** Which settings were not given: those the workflow had before, and those it never had, which are the defaults. */
export interface LeftOut {
  readonly kept: SettingName[];
  readonly defaults: SettingName[];
}

/** Where settings that were left out come from. */
export function leftOut(given: Enable, stored: WorkflowRow | undefined): LeftOut {
  const missing = SETTINGS[given.type].filter((name) => given[name] === undefined).map((name) => NAMES[name]);
  return stored === undefined ? { kept: [], defaults: missing } : { kept: missing, defaults: [] };
}

/** What is given, and of what is left out, what is stored. Throws `validation_failed`. */
export async function settingsOf(tx: Transaction, tenantId: string, given: Enable, stored: WorkflowRow | undefined) {
  if (given.type === "auto_generate") {
    const sendAt = given.sendAt ?? stored?.send_at ?? DEFAULT_SEND_AT;
    const days = given.daysBeforeDue ?? stored?.days_before_due ?? DEFAULT_DAYS_BEFORE_DUE;
    return { minimum_amount: null, customer_ids: null, assignee_id: null, send_at: sendAt, days_before_due: days };
  }
  const { minimumAmount, customers, assignee } = given;
  const settings = {
    minimum_amount: minimumAmount === undefined ? (stored?.minimum_amount ?? null) : minimumAmount,
    customer_ids: customers === undefined ? (stored?.customer_ids ?? null) : customers,
    assignee_id: stored?.assignee_id ?? null,
    send_at: null,
    days_before_due: null,
  };
  const faults: ErrorDetail[] = [];
  if (settings.minimum_amount === null && settings.customer_ids === null)
    faults.push({
      field: "minimumAmount",
      message: "or a customer is needed: the workflow must have a rule",
      onPage: "Give a minimum amount or choose a customer",
    });
  if (customers !== undefined && customers !== null) {
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
export async function operatorWorkflowsOf(tx: Transaction, tenantId: string) {
  const shown: OperatorWorkflow[] = [];
  for (const row of await workflowsOf(tx, tenantId)) shown.push(await asOperatorWorkflow(tx, row));
  return shown;
}

export async function asOperatorWorkflow(tx: Transaction, row: WorkflowRow): Promise<OperatorWorkflow> {
  const { workflow_id: id, type, name, enabled, created_at, updated_at } = row;
  return { id, type, name, enabled, ...(await shownSettings(tx, row)), created_at, updated_at };
}

export async function shownSettings(tx: Transaction, row: WorkflowRow) {
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
