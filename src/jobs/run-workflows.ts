import type { Core } from "../core/core.ts";
import { claimInvoices, workOnInvoice } from "../core/workflows/work.ts";

const AT_ONCE = 8;
/** Longer than it takes to make one invoice's links, whatever the provider does. */
const LEASE_MS = 10 * 60_000;

/**
 * Runs the workflows for every invoice that is queued (completions §7), several at once, until none is due or `signal`
 * says stop. What fails is tried again soon, less and less often. Answers how many invoices were worked on.
 */
export async function runWorkflows(core: Core, signal?: AbortSignal): Promise<number> {
  let done = 0;
  while (signal?.aborted !== true) {
    const claimed = await claimInvoices(core, { limit: AT_ONCE, leaseMs: LEASE_MS });
    if (claimed.length === 0) break;
    await Promise.all(
      claimed.map(async (work) => {
        const { tenant_id: tenantId, invoice_id: invoiceId } = work;
        await workOnInvoice(core, work).catch((error: unknown) =>
          core.log.error({ tenantId, invoiceId, err: error }, "workflow.invoice.failed"),
        );
      }),
    );
    done += claimed.length;
  }
  return done;
}
