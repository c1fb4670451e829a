import { beyondBound, ERP_BOUNDS } from "../../gateways/erp/bounds.ts";
import type { BillingContact, ErpInvoice, UnreadableInvoice } from "../../gateways/erp/gateway.ts";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { findConnection, shareConnection } from "../erp-access/connection-queries.ts";
import { boundsOf, type Core } from "../gate/dependencies.ts";
import { later } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import { deliverInvoices } from "../invoices/delivery/deliver-invoices.ts";
import { countInvoices, greatestErpId } from "../invoices/delivery/deliver-queries.ts";
import { type IdRange, markMissing, missingInvoices } from "../invoices/delivery/missing-queries.ts";
import { workspaceNameOf } from "../workspace/workspace-queries.ts";
import { addProgress, lockLedRun } from "./claim-queries.ts";
import { type LedRun, RunLostError } from "./claim-runs.ts";
import { forgetSetAside, setAside } from "./set-aside-queries.ts";

/** The connection a run pulls from; undefined when it is gone. */
export function connectionOf(core: Core, { run }: LedRun): Promise<ErpConnectionRow | undefined> {
  return core.store.read(run.tenant_id, (tx) => findConnection(tx, run.tenant_id, run.connection_id));
}

/** What is stored when a run begins. */
interface StoredBefore {
  /** The greatest ERP id of the connection's invoices, or null. Only the run adds some, so ids above it are new and need no look-up. */
  readonly through: string | null;
  /** Invoices of the workspace. */
  readonly count: number;
}

export function storedBefore(core: Core, { run }: LedRun): Promise<StoredBefore> {
  return core.store.read(run.tenant_id, async (tx) => ({
    through: await greatestErpId(tx, run.tenant_id, run.connection_id),
    count: await countInvoices(tx, run.tenant_id),
  }));
}

/** Invoices as they were read, with the billing contacts of their customers. */
export interface ReadInvoices {
  readonly stored: StoredBefore;
  readonly invoices: readonly ErpInvoice[];
  readonly unreadable: readonly UnreadableInvoice[];
  readonly contacts: ReadonlyMap<string, BillingContact>;
}

/** The name of a run's workspace, for the log. */
export function workspaceOf(core: Core, { run }: LedRun): Promise<string | null> {
  return core.store.read(run.tenant_id, (tx) => workspaceNameOf(tx, run.tenant_id));
}

/**
 * Commits a page in one transaction: its invoices, which invoices are missing from it, and the run's progress. `range` is the
 * range of ERP ids the page covers; null for invoices that the pages left out though the ERP has them. Throws RunLostError, and the
 * bound's ErpError where the workspace would have too many invoices, or too many cannot be read.
 */
export const commitPage = workStep({
  name: "commitPage",
  async run({ tx, core }, { led, page, range }: { led: LedRun; page: ReadInvoices; range: IdRange | null }) {
    const counts = await deliver(tx, core, led, page);
    const ids = page.invoices.map((invoice) => invoice.erpInvoiceId);
    if (range !== null && reachesBack(range, page.stored.through)) await markMissing(tx, scopeOf(led), range, ids);
    await setAside(tx, led.run, page.unreadable);
    if (range !== null && range.through === null) await forgetSetAside(tx, led.run);
    const total = await addProgress(tx, led.run, {
      ...counts,
      setAside: page.unreadable.length,
      readThrough: range?.through ?? null,
      leaseUntil: later(core, led.leaseMs),
    });
    const { invoicesOfWorkspace: most } = boundsOf(core);
    if (counts.created > 0 && page.stored.count + total.created > most) throw beyondBound("invoicesOfWorkspace", most);
    const { invoicesSetAside } = ERP_BOUNDS;
    if (total.setAside > invoicesSetAside) throw beyondBound("invoicesSetAside", invoicesSetAside);
  },
});

/** Whether a range of ids may include invoices stored before the run. */
function reachesBack({ after }: IdRange, storedThrough: string | null): boolean {
  return storedThrough !== null && (after === null || BigInt(after) < BigInt(storedThrough));
}

async function deliver(tx: Transaction, core: Core, led: LedRun, { stored, invoices, contacts }: ReadInvoices) {
  const { tenant_id: tenantId, connection_id: connectionId, started_at: startedAt } = led.run;
  const connection = await shareConnection(tx, tenantId, connectionId);
  if (connection === undefined || !(await lockLedRun(tx, led.run, led.claimId))) throw new RunLostError();
  const contactNames = connection.pull_contact_name;
  const counts = await deliverInvoices(tx, core, {
    tenantId,
    connectionId,
    startedAt,
    storedThrough: stored.through,
    contactNames,
    invoices,
    contacts,
  });
  return { read: invoices.length, ...counts };
}

/** What a complete reading did not meet, by ERP id from after `after` on: to be confirmed before it is retired. */
export function missingAfterPull(core: Core, led: LedRun, after: string | null, limit: number) {
  return core.store.read(led.run.tenant_id, (tx) => missingInvoices(tx, scopeOf(led), after, limit));
}

/** What a run reads. */
export function scopeOf({ run }: LedRun) {
  return {
    tenantId: run.tenant_id,
    connectionId: run.connection_id,
    pullFrom: run.pull_from,
    startedAt: run.started_at,
  };
}
