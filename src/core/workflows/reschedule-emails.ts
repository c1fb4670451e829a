import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables/workflows.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { instantsOf } from "../gate/retry.ts";
import { addDays, businessDate } from "../kernel/calendar.ts";
import { timeOn } from "../kernel/local-time.ts";
import { scheduleEmail, type WorkflowEmail, workflowEmails } from "../payment-links/emails/link-email-queries.ts";
import { DEFAULT_SEND_AT, nextTimeOfDay } from "../payment-links/emails/send-time.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";

/** An email of a live link that turning its workflow on schedules, and when it goes out then. */
export type ResumedEmail = WorkflowEmail & { readonly sendAt: string };

/** Whether settings move the emails that were scheduled by others. */
export const movesEmails = (to: WorkflowRow, from: WorkflowRow | undefined) =>
  from?.send_at !== to.send_at || from.days_before_due !== to.days_before_due;

/**
 * The emails that turning a workflow on schedules again, because turning it off had cancelled them or they failed at an address
 * that was corrected meanwhile, and, where its settings move them, those that have another time then; not those that would be
 * cancelled when their time comes. Those of a disconnected ERP are among them, and stay cancelled until it is connected again.
 */
export async function emailsToSchedule(
  tx: Transaction,
  core: Core,
  workflow: WorkflowRow,
  { isMoved }: { isMoved: boolean },
): Promise<ResumedEmail[]> {
  const { tenant_id: tenantId, workflow_id: workflowId } = workflow;
  const timeOf = await timesOf(tx, core, workflow);
  const emails = await workflowEmails(tx, tenantId, { workflowId, instants: instantsOf(core) });
  return emails
    .filter((email) => email.is_askable && (email.is_unscheduled || (isMoved && !email.moved_by_person)))
    .map((email) => ({ ...email, sendAt: timeOf(email) }))
    .filter((email) => email.is_unscheduled || email.sendAt !== email.send_at);
}

/**
 * Moves the emails that a workflow scheduled to its settings of now, those that turning it off cancelled among them; what
 * a person moved keeps its time, and what was cancelled stays so while its ERP is disconnected. What falls due later waits
 * until it comes into the window.
 */
export async function rescheduleEmails(
  tx: Transaction,
  core: Core,
  workflow: WorkflowRow,
  { isMoved }: { isMoved: boolean },
) {
  const { tenant_id: tenantId, workflow_id: workflowId, send_at: timeOfDay } = workflow;
  if (timeOfDay === null) return;
  const timeOf = await timesOf(tx, core, workflow);
  for (const email of await workflowEmails(tx, tenantId, { workflowId, instants: instantsOf(core) })) {
    if (email.is_unscheduled ? email.is_erp_disconnected : email.moved_by_person || !isMoved) continue;
    await scheduleEmail(tx, tenantId, email.payment_link_id, timeOf(email));
  }
}

/** When each of a workflow's emails goes out by its settings. */
async function timesOf(tx: Transaction, core: Core, workflow: WorkflowRow): Promise<(email: WorkflowEmail) => string> {
  const { tenant_id: tenantId, send_at: timeOfDay, days_before_due: days } = workflow;
  const now = core.clock.now();
  const timezone = await timezoneOf(tx, tenantId);
  const time = timeOfDay ?? DEFAULT_SEND_AT;
  const next = nextTimeOfDay(now, timezone, time);
  const today = businessDate(now, timezone);
  return ({ due_date: due, send_at: before, moved_by_person: byPerson }) => {
    if (byPerson && before > nowOf(core)) return before;
    const opens = due === null ? today : addDays(due, -(days ?? 0));
    return opens > today ? timeOn(opens, time, timezone) : next;
  };
}
