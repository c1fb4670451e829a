import { beyondBound, ERP_BOUNDS } from "../../gateways/erp/bounds.ts";
import type { UnreadableInvoice } from "../../gateways/erp/gateway.ts";
import { holdFigures } from "../collection/collection-queries.ts";
import { findConnection, shareConnection } from "../erp-access/connection-queries.ts";
import { boundsOf } from "../gate/dependencies.ts";
import { later } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import { type Delivery, deliverInvoices } from "../invoices/delivery/deliver-invoices.ts";
import { countInvoices, greatestErpId } from "../invoices/delivery/deliver-queries.ts";
import { type IdRange, markMissing, missingInvoices } from "../invoices/delivery/missing-queries.ts";
import { withinCurrencies } from "../invoices/delivery/other-currencies.ts";
import { workspaceNameOf } from "../workspace/workspace-queries.ts";
import { addProgress, lockLedRun } from "./claim-queries.ts";
import { type LedRun, RunLostError } from "./claim-runs.ts";
import { forgetSetAside, setAside } from "./set-aside-queries.ts";

/**
 * What a run begins with: its connection, undefined when that is gone, the greatest ERP id stored of it, and how many invoices its
 * workspace has.
 */
export const storedBefore = workStep({
  in: "workspace",
  run: async ({ tx, tenantId }, { connection_id }: LedRun) => ({
    connection: await findConnection(tx, tenantId, connection_id),
    storedThrough: await greatestErpId(tx, tenantId, connection_id),
    count: await countInvoices(tx, tenantId),
  }),
});

/** Invoices as they were read, with the billing contacts of their customers and what was stored before. */
export interface ReadInvoices extends Omit<Delivery, "contactNames"> {
  /** Invoices of the workspace when the run began. */
  readonly count: number;
  readonly unreadable: readonly UnreadableInvoice[];
}

/** The name of a run's workspace, for the log. */
export const workspaceOf = workStep({ in: "workspace", run: ({ tx, tenantId }) => workspaceNameOf(tx, tenantId) });

/**
 * Commits a page in one transaction: its invoices, which invoices are missing from it, and the run's progress. `range` is the
 * range of ERP ids the page covers; null for invoices that the pages left out though the ERP has them. Answers how many invoices the
 * run has brought or changed by now. Throws RunLostError, and the bound's ErpError where the workspace would have too many invoices, or
 * too many cannot be read.
 */
export const commitPage = workStep({
  name: "commitPage",
  async run({ tx, core }, { led, page: read, range }: { led: LedRun; page: ReadInvoices; range: IdRange | null }) {
    await holdFigures(tx, led.tenant_id);
    const connection = await shareConnection(tx, led.tenant_id, led.connection_id);
    if (connection === undefined || !(await lockLedRun(tx, led))) throw new RunLostError();
    const page = await withinCurrencies(tx, led.tenant_id, read);
    const counts = await deliverInvoices(tx, core, led, { ...page, contactNames: connection.pull_contact_name });
    const ids = page.invoices.map((invoice) => invoice.erpInvoiceId);
    if (range !== null && reachesBack(range, page.storedThrough)) await markMissing(tx, led, range, ids);
    await setAside(tx, led, page.unreadable);
    if (range !== null && range.through === null) await forgetSetAside(tx, led);
    const total = await addProgress(tx, led, {
      ...counts,
      read: ids.length,
      setAside: page.unreadable.length,
      readThrough: range?.through ?? null,
      leaseUntil: later(core, led.leaseMs),
    });
    const { invoicesOfWorkspace: most } = boundsOf(core);
    if (counts.created > 0 && page.count + total.created > most) throw beyondBound("invoicesOfWorkspace", most);
    const { invoicesSetAside } = ERP_BOUNDS;
    if (total.setAside > invoicesSetAside) throw beyondBound("invoicesSetAside", invoicesSetAside);
    return total.created + total.updated;
  },
});

/** Whether a range of ids may include invoices stored before the run. */
function reachesBack({ after }: IdRange, storedThrough: string | null) {
  return storedThrough !== null && (after === null || BigInt(after) < BigInt(storedThrough));
}

/** What a complete reading did not meet, by ERP id from after `after` on: to be confirmed before it is retired. */
export const missingAfterPull = workStep({
  in: "workspace",
  run: ({ tx }, led: LedRun, after: string | null, limit: number) => missingInvoices(tx, led, after, limit),
});
