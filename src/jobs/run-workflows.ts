import { WORKFLOW_WORK } from "../core/collection/to-examine-queries.ts";
import { claimWork, retrySoon } from "../core/gate/claims.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { workOnInvoice } from "../core/workflows/mint-generated-links.ts";
import { workOff } from "./work-off.ts";

const AT_ONCE = 8;
/** Longer than it takes to make one invoice's links, however slow the provider is. */
const LEASE_MS = 10 * 60_000;

/**
 * Runs the workflows for every invoice that is queued (completions §7), several at once, until none is due or `stop`
 * says so. What fails is tried again soon, less and less often. Answers how many invoices were worked on.
 */
export function runWorkflows(core: Core, stop?: AbortSignal): Promise<number> {
  return workOff(core, {
    event: "workflow.invoice",
    stop,
    claim: (turn) => claimWork(core, WORKFLOW_WORK, { limit: AT_ONCE, leaseMs: LEASE_MS, turn }),
    work: (work) => workOnInvoice(core, work),
    retry: (work) => retrySoon(core, "workflow_work", work),
    fieldsOf: ({ tenant_id: tenantId, invoice_id: invoiceId }) => ({ tenantId, invoiceId }),
  });
}
