import type { BillingContact, ErpInvoice } from "../../gateways/erp/gateway.ts";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { lookAtAll, workStep } from "../gate/work-step.ts";
import { deliverInvoices } from "../invoices/deliver-page.ts";
import { greatestErpId } from "../invoices/deliver-queries.ts";
import { type IdRange, markMissing, missingInvoices } from "../invoices/missing-queries.ts";
import { retireInvoices } from "../invoices/recompute.ts";
import { tenantOf } from "../payments/queries.ts";
import { farthestOf, later } from "../shared/retry.ts";
import { newLease, renewClaim } from "../shared/work.ts";
import { type ClaimedRun, type ClaimShares, claimUnledRun, type RunSearch, unledRuns } from "./claim-queries.ts";
import { markFailed, markSucceeded, noteFinish, type RunFailure } from "./finish-queries.ts";
import {
  addProgress,
  findConnection,
  lockConnection,
  lockLedRun,
  type RunToLead,
  shareConnection,
} from "./lifecycle-queries.ts";

/** A claimed run; the claim is lost unless it is renewed within `leaseMs`. */
export interface LedRun {
  readonly run: RunToLead;
  readonly claimId: string;
  readonly leaseMs: number;
}

/** The run was ended or claimed by another: this worker must write nothing more. */
export class RunLostError extends Error {
  override readonly name = "RunLostError";
}

/** No limits, for a process that works on nothing else. */
const NO_SHARES: ClaimShares = { most: 1_000_000, hosts: [], tenants: [], unreachable: 0 };

/** Claims reserved runs of all tenants. */
export async function claimRuns(
  core: Core,
  { limit, leaseMs, shares = NO_SHARES }: { limit: number; leaseMs: number; shares?: ClaimShares },
): Promise<(LedRun & { run: ClaimedRun })[]> {
  const claimed: (LedRun & { run: ClaimedRun })[] = [];
  for (const { tenant_id: tenantId, sync_run_id: syncRunId, ...unled } of await findUnled(core, { limit, shares })) {
    try {
      const led = await claimRun(core, tenantId, { syncRunId, leaseMs });
      if (led !== null) claimed.push({ ...led, run: { ...led.run, ...unled } });
    } catch (error) {
      // What is claimed already is led all the same.
      if (claimed.length === 0) throw error;
      core.log.warn({ tenantId, err: error }, "sync_run.not_claimed");
      break;
    }
  }
  return claimed;
}

const findUnled = lookAtAll(({ tx, shards, now }, search: Pick<RunSearch, "limit" | "shares">) =>
  unledRuns(tx, shards, { ...search, farthest: farthestOf(now) }),
);

/** Claims one reserved run; null when it is claimed already or has ended. */
export const claimRun = workStep({
  name: "claimRun",
  async run(
    { tx, core, actor },
    { syncRunId, leaseMs }: { syncRunId: string; leaseMs: number },
  ): Promise<LedRun | null> {
    const lease = newLease(core, leaseMs);
    const run = await claimUnledRun(tx, { tenant_id: actor.tenantId, sync_run_id: syncRunId }, lease);
    return run === undefined ? null : { run, claimId: lease.claimId, leaseMs };
  },
});

/** Renews a run's lease. Throws RunLostError. */
export async function renewLease(core: Core, { run, claimId, leaseMs }: LedRun): Promise<void> {
  const isKept = await renewClaim(core, "sync_runs", { ...run, claim_id: claimId }, leaseMs);
  if (!isKept) throw new RunLostError();
}

/** The connection a run pulls from; undefined when it is gone. */
export function connectionOf(core: Core, { run }: LedRun): Promise<ErpConnectionRow | undefined> {
  return core.store.read(run.tenant_id, (tx) => findConnection(tx, run.tenant_id, run.connection_id));
}

/**
 * The greatest ERP id of the connection's invoices when a run begins, or null. Only the run adds invoices, so ids above it
 * are new and need no look-up.
 */
export function storedThroughOf(core: Core, { run }: LedRun): Promise<string | null> {
  return core.store.read(run.tenant_id, (tx) => greatestErpId(tx, run.tenant_id, run.connection_id));
}

/** Invoices as they were read, with the billing contacts of their customers. */
export interface ReadInvoices {
  /** See {@link storedThroughOf}. */
  readonly storedThrough: string | null;
  readonly invoices: readonly ErpInvoice[];
  readonly contacts: ReadonlyMap<string, BillingContact>;
}

/** The name of a run's workspace, for the log. */
export function workspaceOf(core: Core, { run }: LedRun): Promise<string | null> {
  return core.store.read(run.tenant_id, async (tx) => (await tenantOf(tx, run.tenant_id))?.name ?? null);
}

/**
 * Commits a page in one transaction: its invoices, which invoices are missing from it, and the run's progress. `range` is the
 * range of ERP ids the page covers; null for invoices that the pages left out though the ERP has them. Throws RunLostError.
 */
export const commitPage = workStep({
  name: "commitPage",
  async run({ tx, core }, { led, page, range }: { led: LedRun; page: ReadInvoices; range: IdRange | null }) {
    const counts = await deliver(tx, core, led, page);
    const ids = page.invoices.map((invoice) => invoice.erpInvoiceId);
    if (range !== null && reachesBack(range, page.storedThrough)) await markMissing(tx, scopeOf(led), range, ids);
    await addProgress(tx, led.run, {
      ...counts,
      readThrough: range?.through ?? null,
      leaseUntil: later(core, led.leaseMs),
    });
  },
});

/** Whether a range of ids may include invoices stored before the run. */
function reachesBack({ after }: IdRange, storedThrough: string | null): boolean {
  return storedThrough !== null && (after === null || BigInt(after) < BigInt(storedThrough));
}

async function deliver(tx: Transaction, core: Core, led: LedRun, { storedThrough, invoices, contacts }: ReadInvoices) {
  const { tenant_id: tenantId, connection_id: connectionId, started_at: startedAt } = led.run;
  const connection = await shareConnection(tx, tenantId, connectionId);
  if (connection === undefined || !(await lockLedRun(tx, led.run, led.claimId))) throw new RunLostError();
  const contactNames = connection.pull_contact_name;
  const counts = await deliverInvoices(tx, core, {
    tenantId,
    connectionId,
    startedAt,
    storedThrough,
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

/**
 * Ends a run well: what the ERP confirmed to be gone is retired, the connection is `connected` (completions §7).
 * Throws RunLostError.
 */
export const succeedRun = workStep({
  name: "succeedRun",
  async run({ tx, core }, { led, absentIds }: { led: LedRun; absentIds: readonly string[] }) {
    await holdForFinish(tx, led);
    await retireInvoices(tx, core, led.run.tenant_id, absentIds);
    const at = nowOf(core);
    await markSucceeded(tx, led.run, absentIds.length, at);
    await noteFinish(tx, led.run, { at, succeeded: true, status: "connected", answered: true });
  },
});

/** Ends a run that failed; it retires nothing, and its connection's status tells why. Throws RunLostError. */
export const failRun = workStep({
  name: "failRun",
  async run({ tx, core }, { led, failure }: { led: LedRun; failure: RunFailure }) {
    const connection = await holdForFinish(tx, led);
    const at = nowOf(core);
    await markFailed(tx, led.run, failure, at);
    const { status = connection.status, answered = null } = SAYS[failure.code] ?? {};
    await noteFinish(tx, led.run, { at, succeeded: false, status, answered });
  },
});

async function holdForFinish(tx: Transaction, { run, claimId }: LedRun): Promise<ErpConnectionRow> {
  const connection = await lockConnection(tx, run.tenant_id, run.connection_id);
  if (connection === undefined || !(await lockLedRun(tx, run, claimId))) throw new RunLostError();
  return connection;
}

/** What a failed run says of its connection: the status, and whether the ERP answered. Other failures say nothing. */
const SAYS: Readonly<Partial<Record<RunFailure["code"], { status?: ErpConnectionRow["status"]; answered: boolean }>>> =
  {
    authentication_failed: { status: "requires_reauthentication", answered: true },
    erp_unreachable: { status: "temporarily_unavailable", answered: false },
    erp_rejected: { answered: true },
  };

function scopeOf({ run }: LedRun) {
  return {
    tenantId: run.tenant_id,
    connectionId: run.connection_id,
    pullFrom: run.pull_from,
    startedAt: run.started_at,
  };
}
