import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables.ts";
import { addDays, businessDate } from "../calendar.ts";
import { type Core, nowOf } from "../core.ts";
import { scheduleEmail, workflowEmails } from "../payment-links/link-email-queries.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { nextTimeOfDay, timeOn } from "./send-time.ts";

/** How many emails turning a workflow on schedules again, because turning it off had cancelled them. */
export async function emailsToResume(tx: Transaction, core: Core, workflow: WorkflowRow): Promise<number> {
  const { tenant_id: tenantId, workflow_id: workflowId } = workflow;
  const emails = await workflowEmails(tx, tenantId, { workflowId, now: nowOf(core) });
  return emails.filter((email) => email.is_cancelled).length;
}

/**
 * Moves the emails that a workflow scheduled to its settings of now, those that turning it off cancelled among them; what
 * a person moved keeps its time. What falls due later waits until it comes into the window.
 */
export async function rescheduleEmails(
  tx: Transaction,
  core: Core,
  workflow: WorkflowRow,
  { isMoved }: { isMoved: boolean },
): Promise<void> {
  const { tenant_id: tenantId, workflow_id: workflowId, send_at: timeOfDay, days_before_due: days } = workflow;
  if (timeOfDay === null) return;
  const now = core.clock.now();
  const timezone = await timezoneOf(tx, tenantId);
  const next = nextTimeOfDay(now, timezone, timeOfDay);
  const today = businessDate(now, timezone);
  for (const email of await workflowEmails(tx, tenantId, { workflowId, now: nowOf(core) })) {
    const { payment_link_id: linkId, due_date: due, email_send_at: before, email_moved_by_person: byPerson } = email;
    if (!email.is_cancelled && (byPerson || !isMoved)) continue;
    const isKept = byPerson && before !== null && before > nowOf(core);
    const opens = due === null ? today : addDays(due, -(days ?? 0));
    const ownTime = opens > today ? timeOn(opens, timeOfDay, timezone) : next;
    await scheduleEmail(tx, tenantId, linkId, isKept ? before : ownTime);
  }
}
