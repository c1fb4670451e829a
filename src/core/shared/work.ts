import type { Transaction } from "../../store/store.ts";
import {
  type Change,
  type Claimed,
  claimOfLine,
  type Lease,
  type LeasedTable,
  type Line,
  nextLines,
  UNCLAIMED,
  updateClaimed,
  type WorkKind,
  type WorkRow,
  type WorkTable,
} from "../../store/work-queue.ts";
import { committed } from "../gate/committed.ts";
import type { Core } from "../gate/dependencies.ts";
import { instantsOf, later, RETRY, retryAt } from "./retry.ts";

/** Where a worker goes on claiming: after the line that it claimed from last. It hands in the same one each time. */
export interface Turn {
  after: Line | null;
}

export interface ClaimOptions {
  readonly limit: number;
  /** Milliseconds; from then on another worker may claim it. */
  readonly leaseMs: number;
  readonly turn?: Turn;
  /** One workspace's only. */
  readonly tenantId?: string | undefined;
}

/** A claim of its own, from now on. */
export const newLease = (core: Core, leaseMs: number): Lease => ({
  ...instantsOf(core),
  claimId: core.newId(),
  expiresAt: later(core, leaseMs),
});

/**
 * Claims from the lines that anything is ready in, by turns: `claim` answers the line it read, what it claimed there, and whether
 * there may be more. Ends with `limit` claimed, or once every line was read and none may have more. Each read is a transaction of
 * its own, so that no worker waits for one line while holding another.
 */
export async function claimByTurns<Row>(
  core: Core,
  { limit, turn = { after: null } }: { limit: number; turn?: Turn | undefined },
  claim: (
    tx: Transaction,
    after: Line | null,
    limit: number,
  ) => Promise<{ line: Line | undefined; rows: Row[]; hasMore?: boolean }>,
): Promise<Row[]> {
  const claimed: Row[] = [];
  for (let isLastRound = turn.after === null; claimed.length < limit; ) {
    const attempt = () => core.store.system((tx) => claim(tx, turn.after, limit - claimed.length));
    const found = await committed(attempt).catch((error: unknown) => {
      // What is claimed already is done all the same.
      if (claimed.length === 0) throw error;
      core.log.warn({ err: error }, "work.claim_failed");
      return null;
    });
    if (found === null) break;
    claimed.push(...found.rows);
    turn.after = found.line ?? null;
    if (found.hasMore === true) isLastRound = false;
    if (found.line !== undefined) continue;
    if (isLastRound) break;
    isLastRound = true;
  }
  return claimed;
}

/** Claims work that is due, of all tenants; a workspace with much of it delays no other. */
export function claimWork<Table extends WorkTable>(
  core: Core,
  kind: WorkKind<Table>,
  { leaseMs, tenantId, ...options }: ClaimOptions,
): Promise<WorkRow<Table>[]> {
  if (tenantId !== undefined)
    return committed(() =>
      core.store.write(tenantId, (tx) =>
        claimOfLine(tx, kind, { tenant_id: tenantId }, newLease(core, leaseMs), options),
      ),
    );
  return claimByTurns(core, options, async (tx, after, limit) => {
    const rows: WorkRow<Table>[] = [];
    const lines = await nextLines(tx, kind, after, instantsOf(core), limit);
    if (lines.length === 0) return { line: undefined, rows };
    const lease = newLease(core, leaseMs);
    for (const line of lines) {
      rows.push(...(await claimOfLine(tx, kind, line, lease, { limit: limit - rows.length })));
      if (rows.length === limit) return { line, rows };
    }
    return { line: lines.at(-1), rows };
  });
}

/** Writes to a claimed row. False, and nothing written, where the claim held no more. */
export function changeClaimed<Table extends LeasedTable>(
  core: Core,
  table: Table,
  row: Claimed<Table>,
  change: Change<Table>,
): Promise<boolean> {
  return committed(() => core.store.write(row.tenant_id, (tx) => updateClaimed(tx, table, row, change)));
}

/** Keeps a claim for another lease, in milliseconds from now. False where it held no more. */
export function renewClaim<Table extends LeasedTable>(
  core: Core,
  table: Table,
  row: Claimed<Table>,
  leaseMs: number,
): Promise<boolean> {
  return changeClaimed(core, table, row, { lease_expires_at: later(core, leaseMs) });
}

/** Gives a lease back with the row's new values: it is finished, or tried again. False where the claim held no more. */
export function endClaim<Table extends LeasedTable>(
  core: Core,
  table: Table,
  row: Claimed<Table>,
  change: Change<Table> = {},
): Promise<boolean> {
  return changeClaimed(core, table, row, { ...change, ...UNCLAIMED });
}

/** The same after an attempt that failed unexpectedly. */
export function retrySoon<Table extends WorkTable>(
  core: Core,
  table: Table,
  row: Claimed<Table> & { attempts: number },
): Promise<boolean> {
  return endClaim(core, table, row, { next_attempt_at: retryAt(core, RETRY.unexpected, row.attempts) });
}
