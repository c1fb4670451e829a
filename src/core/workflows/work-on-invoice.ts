import { type ClaimedWork, deleteWork } from "../collection/to-examine-queries.ts";
import { endClaim } from "../gate/claims.ts";
import type { Core } from "../gate/dependencies.ts";
import { mayRetry, RETRY, retryAt } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import { examineInvoice } from "./examine-invoice.ts";
import { generateLinks } from "./mint-generated-links.ts";

/**
 * Runs the workflows for a claimed invoice, and removes it from the queue or leaves it there until its next installment comes
 * into the window. Links that could not be made are tried again for about a day. Rejects with unexpected errors.
 */
export async function workOnInvoice(core: Core, work: ClaimedWork): Promise<void> {
  const next = await workedOn(core, work);
  if (next === null) await removeWork(core, work.tenant_id, work);
  else await endClaim(core, "workflow_work", work, next);
}

const removeWork = workStep({ name: "removeWork", run: ({ tx }, work: ClaimedWork) => deleteWork(tx, work) });

/** Answers when the invoice is due again; null when that needs a change of it. */
async function workedOn(
  core: Core,
  { tenant_id: tenantId, invoice_id: invoiceId, attempts }: ClaimedWork,
): Promise<{ next_attempt_at: string; attempts: number; queued_at?: string } | null> {
  const { generation, reservedUntil, nextAt } = await examineInvoice(core, tenantId, invoiceId);
  const again: string[] = [];
  if (reservedUntil !== null) again.push(reservedUntil, retryAt(core, RETRY.busy));
  if (generation !== null) {
    const { retry, unclear } = await generateLinks(core, generation);
    if (unclear) again.push(retryAt(core, RETRY.unclear));
    if (retry && mayRetry(RETRY.links, attempts)) again.push(retryAt(core, RETRY.links, attempts));
  }
  const next_attempt_at = again.sort().at(-1);
  if (next_attempt_at !== undefined) return { next_attempt_at, attempts };
  return nextAt === null ? null : { next_attempt_at: nextAt, attempts: 0, queued_at: nextAt };
}
