import { type Core, nowOf } from "../core.ts";
import { examineInvoice } from "./examine-invoice.ts";
import { generateLinks } from "./generate-links.ts";
import { type ClaimedWork, claimWork, deleteWork, postponeWork } from "./work-queries.ts";

const MINUTE_MS = 60_000;
/** Minutes between two attempts to make links; the last one repeats. */
const PAUSES = [1, 5, 15, 60] as const;
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
  return core.store.system((tx) => claimWork(tx, { now: nowOf(core), leaseUntil, limit }));
}

/**
 * Runs the workflows for an invoice that was taken up, and takes it off the queue. Links that could not be made are tried
 * again for about a day, or until something moves the invoice.
 */
export async function workOnInvoice(core: Core, work: ClaimedWork): Promise<void> {
  const { tenant_id: tenantId, invoice_id: invoiceId } = work;
  const { generation, reservedUntil } = await examineInvoice(core, { tenantId, invoiceId });
  const again: string[] = [];
  if (reservedUntil !== null) again.push(reservedUntil, inMinutes(core, 1));
  if (generation !== null) {
    const { retry, unclear } = await generateLinks(core, generation);
    if (unclear) again.push(inMinutes(core, UNCLEAR_MINUTES));
    if (retry && work.attempts < MAX_ATTEMPTS)
      again.push(inMinutes(core, PAUSES[Math.min(work.attempts, PAUSES.length) - 1] ?? 1));
  }
  const next = again.sort().at(-1);
  await core.store.write(tenantId, (tx) => (next === undefined ? deleteWork(tx, work) : postponeWork(tx, work, next)));
}

function inMinutes(core: Core, minutes: number): string {
  return new Date(core.clock.now().getTime() + minutes * MINUTE_MS).toISOString();
}
