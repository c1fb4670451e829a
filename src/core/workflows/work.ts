import { committed } from "../committed.ts";
import { type Core, nowOf } from "../core.ts";
import { farthestOf, retryAt } from "../retry.ts";
import { examineInvoice } from "./examine-invoice.ts";
import { generateLinks } from "./generate-links.ts";
import { type ClaimedWork, claimWork, deleteWork, type Postponement, postponeWork } from "./work-queries.ts";

const MINUTE_MS = 60_000;
/** Minutes between two attempts to make links; the last one repeats. */
const RETRY_MINUTES = [1, 5, 15, 60] as const;
/** About a day of them. */
const MAX_ATTEMPTS = 27;
/** By then it is known what became of a link whose making was not answered. */
const UNCLEAR_MINUTES = 5;

/** Takes up to `limit` queued invoices for `leaseMs`; from then on, another worker may. */
export function claimInvoices(
  core: Core,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedWork[]> {
  const leaseUntil = new Date(core.clock.now().getTime() + leaseMs).toISOString();
  const due = { now: nowOf(core), leaseUntil, farthest: farthestOf(nowOf(core)), limit };
  return committed(() => core.store.system((tx) => claimWork(tx, due)));
}

/**
 * Runs the workflows for an invoice that was taken up, and takes it off the queue, or leaves it there until the next of its
 * installments comes into the window. Links that could not be made are tried again for about a day, or until something
 * moves the invoice. Rejects with what nobody expected: the work is due again soon.
 */
export async function workOnInvoice(core: Core, work: ClaimedWork): Promise<void> {
  const { tenant_id: tenantId } = work;
  try {
    const next = await workedOn(core, work);
    await committed(() =>
      core.store.write(tenantId, (tx) => (next === null ? deleteWork(tx, work) : postponeWork(tx, work, next))),
    );
  } catch (error) {
    const later = { dueAt: retryAt(core, work.attempts), attempts: work.attempts };
    // Where even this fails, the lease runs out by itself.
    await committed(() => core.store.write(tenantId, (tx) => postponeWork(tx, work, later))).catch(() => undefined);
    throw error;
  }
}

/** Answers when to look again; null when something has to move the invoice first. */
async function workedOn(core: Core, work: ClaimedWork): Promise<Postponement | null> {
  const { tenant_id: tenantId, invoice_id: invoiceId, attempts } = work;
  const { generation, reservedUntil, nextAt } = await examineInvoice(core, { tenantId, invoiceId });
  const again: string[] = [];
  if (reservedUntil !== null) again.push(reservedUntil, inMinutes(core, 1));
  if (generation !== null) {
    const { retry, unclear } = await generateLinks(core, generation);
    if (unclear) again.push(inMinutes(core, UNCLEAR_MINUTES));
    if (retry && attempts < MAX_ATTEMPTS)
      again.push(inMinutes(core, RETRY_MINUTES[Math.min(attempts, RETRY_MINUTES.length) - 1] ?? 1));
  }
  const dueAt = again.sort().at(-1);
  if (dueAt !== undefined) return { dueAt, attempts };
  return nextAt === null ? null : { dueAt: nextAt, attempts: 0 };
}

function inMinutes(core: Core, minutes: number): string {
  return new Date(core.clock.now().getTime() + minutes * MINUTE_MS).toISOString();
}
