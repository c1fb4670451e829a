import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowExecutionRow, WorkflowRow } from "../../store/tables/workflows.ts";
import { lockChargeableCurrencies } from "../collection/collection-queries.ts";
import { authorOf } from "../gate/author.ts";
import { type Core, nowOf, type Stamping } from "../gate/dependencies.ts";
import { type StepContext, workStep } from "../gate/work-step.ts";
import { businessDate } from "../kernel/calendar.ts";
import { ServiceError } from "../kernel/error.ts";
import { startOfDay } from "../kernel/local-time.ts";
import { queueMail } from "../mail/outgoing-queries.ts";
import { nextTimeOfDay } from "../payment-links/emails/send-time.ts";
import { reserveLinks } from "../payment-links/issuing/reserve-links.ts";
import { openTask } from "../tasks/open-task.ts";
import { type Decision, decide } from "./auto-generate.ts";
import {
  collectibleInstallments,
  hasExecution,
  hasReasonSince,
  type InvoiceToRun,
  insertExecution,
  lastExecution,
  lockInvoiceToRun,
  type Run,
  tasksOf,
  unrecordedLinks,
} from "./run-queries.ts";
import { memberAddresses, workflowsOf } from "./settings-queries.ts";

/** The links that Auto Generate has reserved for an invoice, to be minted at their provider. */
export interface Generation {
  readonly tenantId: string;
  readonly workflowId: string;
  readonly invoiceId: string;
  /** When the links were reserved: it names the execution. */
  readonly startedAt: string;
  /** One for each installment, so that a failure of one does not delay the others. */
  readonly reservationIds: readonly string[];
  /** Why installments get no link. */
  readonly refusals: readonly ServiceError[];
}

/** What is left to do for an invoice. */
interface Examined {
  readonly generation: Generation | null;
  /** Until when another worker's reservation of a link for it is leased; null without one. */
  readonly reservedUntil: string | null;
  /** Start of the business day on which its next installment comes into the window. */
  readonly nextAt: string | null;
}

const NOTHING: Examined = { generation: null, reservedUntil: null, nextAt: null };

/**
 * Runs the workspace's workflows for an `open` invoice in one transaction (completions §7): Payment Arrangement opens its task;
 * Auto Generate, unless a task holds the invoice, reserves a link with its email for each collectible installment in the window
 * that has none. The caller then mints the links.
 */
export const examineInvoice = workStep({ name: "examineInvoice", run: examine });

async function examine({ tx, core, actor: { tenantId } }: StepContext, invoiceId: string) {
  await lockChargeableCurrencies(tx, tenantId);
  const workflows = await workflowsOf(tx, tenantId);
  if (!workflows.some((workflow) => workflow.enabled)) return NOTHING;
  const invoice = await lockInvoiceToRun(tx, tenantId, invoiceId);
  if (invoice?.collection_status !== "open") return NOTHING;
  const installments = await collectibleInstallments(tx, tenantId, [invoiceId]);
  const tasks = (await tasksOf(tx, tenantId, [invoiceId])).map(({ state }) => state);
  const today = businessDate(core.clock.now(), invoice.timezone);
  const decision = decide(workflows, { invoice, installments, tasks }, today);
  if (decision.arranging !== null) await arrange(tx, core, decision.arranging, invoice);
  return decision.generator === null ? NOTHING : generate(tx, core, decision.generator, { invoice, decision });
}

async function arrange(tx: Transaction, core: Core, workflow: WorkflowRow, invoice: InvoiceToRun) {
  const { tenant_id: tenantId, workflow_id: workflowId, assignee_id } = workflow;
  const { invoice_id: invoiceId } = invoice;
  const assignee = (await memberAddresses(tx, tenantId)).find((member) => member.member_id === assignee_id);
  const taskId = await openTask(tx, core, { tenantId, invoiceId, assigneeId: assignee?.member_id ?? null });
  if (taskId === null) return;
  const now = nowOf(core);
  if (assignee !== undefined)
    await queueMail(tx, core, {
      tenant_id: tenantId,
      kind: "task_assigned",
      recipient: assignee.email,
      subject_id: taskId,
    });
  const reason = assignee === undefined ? ({ code: "assignee_removed" } as const) : null;
  const run = { tenantId, workflowId, invoiceId, startedAt: now };
  await recordExecution(tx, core, run, { status: "succeeded", outcome: "task_opened", reason });
}

async function generate(
  tx: Transaction,
  core: Core,
  workflow: WorkflowRow,
  { invoice, decision }: { invoice: InvoiceToRun; decision: Decision },
) {
  const { tenant_id: tenantId, workflow_id: workflowId, send_at: sendAt } = workflow;
  const { invoice_id: invoiceId, customer_email: to, timezone } = invoice;
  const run = { tenantId, workflowId, invoiceId, startedAt: nowOf(core) };
  for (const startedAt of await unrecordedLinks(tx, run)) await recordLinksMade(tx, core, { ...run, startedAt });

  const { wanted, isHeldByTask, isErpDisconnected, isPaidInOtherCurrency, withdrawnAt, nextDay, reservedUntil } =
    decision;
  if (isHeldByTask || isErpDisconnected || isPaidInOtherCurrency) {
    const code = isHeldByTask
      ? "task_not_dismissed"
      : isErpDisconnected
        ? "invoice_erp_disconnected"
        : "paid_in_other_currency";
    await recordExecution(tx, core, run, { status: "skipped", outcome: "none", reason: { code } });
    return NOTHING;
  }
  if (withdrawnAt !== null) await recordWithdrawn(tx, core, run, withdrawnAt);
  const left = { reservedUntil, nextAt: nextDay === null ? null : startOfDay(nextDay, timezone) };
  if (wanted.length === 0 || to === null || sendAt === null) return { ...left, generation: null };

  const by = authorOf({ kind: "system", tenantId, name: workflow.type });
  const author = { ...by, operation: "createPaymentLink", request_id: core.newId() };
  const email = { to, sendAt: nextTimeOfDay(core.clock.now(), timezone, sendAt) };
  const reservationIds: string[] = [];
  const refusals: ServiceError[] = [];
  for (const installmentId of wanted) {
    try {
      const { reservation_id: reservationId } = await reserveLinks(tx, core, {
        tenantId,
        links: [{ invoice_id: invoiceId, installment_id: installmentId, email }],
        createdBy: { kind: "workflow", id: workflowId },
        author,
        at: run.startedAt,
        fieldName: (_, field) => field,
      });
      reservationIds.push(reservationId);
    } catch (error) {
      // A refusal comes before anything is written.
      if (!(error instanceof ServiceError)) throw error;
      refusals.push(error);
    }
  }
  return { ...left, generation: { ...run, reservationIds, refusals } };
}

type Ending = Pick<WorkflowExecutionRow, "status" | "outcome" | "reason">;
type Parts = Stamping;

/**
 * Records what a workflow did with an invoice, or why it did nothing (completions §4). Doing nothing twice in a row for the
 * same reason is recorded once.
 */
export async function recordExecution(tx: Transaction, core: Parts, run: Run, ending: Ending) {
  if (ending.outcome === "none") {
    const last = await lastExecution(tx, run);
    if (last?.outcome === "none" && last.status === ending.status && isDeepStrictEqual(last.reason, ending.reason))
      return;
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

/** The same for links that were made: one row for all links of a run. The invoice is locked. */
export async function recordLinksMade(tx: Transaction, core: Parts, run: Run) {
  const made = { status: "succeeded", outcome: "link_created", reason: null } as const;
  if (!(await hasExecution(tx, run, made.outcome))) await recordExecution(tx, core, run, made);
}

const WITHDRAWN = { status: "skipped", outcome: "none", reason: { code: "withdrawn_by_person" } } as const;

/** The same for links that are not made because a person withdrew them (completions §12): once after the latest withdrawal. */
async function recordWithdrawn(tx: Transaction, core: Parts, run: Run, since: string) {
  const isTold = await hasReasonSince(tx, run, { ...WITHDRAWN.reason, since });
  if (!isTold) await recordExecution(tx, core, run, WITHDRAWN);
}
