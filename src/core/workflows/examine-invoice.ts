import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables.ts";
import { type Core, nowOf } from "../core.ts";
import { ServiceError } from "../error.ts";
import { lockChargeableCurrencies } from "../invoices/collection-queries.ts";
import { insertOutgoingMail } from "../mail/outgoing-queries.ts";
import { reserveLinks } from "../payment-links/reserve-links.ts";
import { openTask } from "../tasks/open-task.ts";
import { recordExecution, recordLinksMade } from "./executions.ts";
import { matchesArrangement } from "./rules.ts";
import {
  collectibleInstallments,
  hasUndismissedTask,
  type InvoiceToRun,
  lockInvoiceToRun,
  unrecordedLinks,
} from "./run-queries.ts";
import { nextTimeOfDay } from "./send-time.ts";
import { memberAddresses, workflowsOf } from "./settings-queries.ts";

/** What Auto Generate wants of an invoice: its links are reserved, and have yet to be made at their provider. */
export interface Generation {
  readonly tenantId: string;
  readonly workflowId: string;
  readonly invoiceId: string;
  /** When the links were reserved: it names the execution. */
  readonly startedAt: string;
  /** One for each installment, so that what is wrong with one of them holds no other up. */
  readonly reservationIds: readonly string[];
  /** Why installments get no link. */
  readonly refusals: readonly ServiceError[];
}

/** What is left to do for an invoice. */
export interface Examined {
  readonly generation: Generation | null;
  /** Somebody is making a link for it, who may fail: until when they are believed to. */
  readonly reservedUntil: string | null;
}

const NOTHING: Examined = { generation: null, reservedUntil: null };
const TASK_STANDS = "The invoice has a payment arrangement task that was not dismissed.";

/**
 * Runs the workspace's workflows for an invoice that is `open`, in one transaction (completions §7): Payment Arrangement
 * opens its task, and Auto Generate, unless a task stands in its way, reserves a link, with its email, for each
 * collectible installment that has none. Making them takes the payment provider, and is the caller's.
 */
export function examineInvoice(
  core: Core,
  { tenantId, invoiceId }: { tenantId: string; invoiceId: string },
): Promise<Examined> {
  return core.store.write(tenantId, async (tx) => {
    await lockChargeableCurrencies(tx, tenantId);
    const enabled = (await workflowsOf(tx, tenantId)).filter((workflow) => workflow.enabled);
    if (enabled.length === 0) return NOTHING;
    const invoice = await lockInvoiceToRun(tx, tenantId, invoiceId);
    if (invoice?.collection_status !== "open") return NOTHING;
    const arrangement = enabled.find((workflow) => workflow.type === "payment_arrangement");
    if (arrangement !== undefined) await arrange(tx, core, arrangement, invoice);
    const generator = enabled.find((workflow) => workflow.type === "auto_generate");
    return generator === undefined ? NOTHING : generate(tx, core, generator, invoice);
  });
}

async function arrange(tx: Transaction, core: Core, workflow: WorkflowRow, invoice: InvoiceToRun): Promise<void> {
  if (!matchesArrangement(workflow, invoice)) return;
  const { tenant_id: tenantId, workflow_id: workflowId, assignee_id } = workflow;
  const { invoice_id: invoiceId } = invoice;
  const assignee = (await memberAddresses(tx, tenantId)).find((member) => member.member_id === assignee_id);
  const taskId = await openTask(tx, core, { tenantId, invoiceId, assigneeId: assignee?.member_id ?? null });
  if (taskId === null) return;
  const now = nowOf(core);
  if (assignee !== undefined)
    await insertOutgoingMail(tx, {
      tenant_id: tenantId,
      mail_id: core.newId(),
      kind: "task_assigned",
      recipient: assignee.email,
      subject_id: taskId,
      status: "queued",
      next_attempt_at: now,
      lease_expires_at: null,
      created_at: now,
      sent_at: null,
    });
  const reason = assignee === undefined ? "Nobody was notified: the assignee is not a member any more." : null;
  const run = { tenantId, workflowId, invoiceId, startedAt: now };
  await recordExecution(tx, core, run, { status: "succeeded", outcome: "task_opened", reason });
}

async function generate(tx: Transaction, core: Core, workflow: WorkflowRow, invoice: InvoiceToRun): Promise<Examined> {
  const { tenant_id: tenantId, workflow_id: workflowId, send_at: sendAt } = workflow;
  const { invoice_id: invoiceId, customer_email: to, timezone } = invoice;
  const run = { tenantId, workflowId, invoiceId, startedAt: nowOf(core) };
  for (const startedAt of await unrecordedLinks(tx, run)) await recordLinksMade(tx, core, { ...run, startedAt });

  const installments = await collectibleInstallments(tx, tenantId, invoiceId);
  const reservations = installments.flatMap(({ reserved_until: until }) => (until === null ? [] : [until]));
  const reservedUntil = reservations.sort().at(-1) ?? null;
  const wanting = installments.filter(({ state }) => state === null).map(({ installment_id: id }) => id);
  if (wanting.length === 0 || to === null || sendAt === null) return { generation: null, reservedUntil };
  if (await hasUndismissedTask(tx, tenantId, invoiceId)) {
    await recordExecution(tx, core, run, { status: "skipped", outcome: "none", reason: TASK_STANDS });
    return NOTHING;
  }

  const email = { to, sendAt: nextTimeOfDay(core.clock.now(), timezone, sendAt) };
  const reservationIds: string[] = [];
  const refusals: ServiceError[] = [];
  for (const installmentId of wanting) {
    try {
      const { reservation_id: reservationId } = await reserveLinks(tx, core, {
        tenantId,
        links: [{ invoiceId, installmentId, amountMinor: null, email }],
        createdBy: { kind: "workflow", id: workflowId },
        author: null,
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
  return { generation: { ...run, reservationIds, refusals }, reservedUntil };
}
