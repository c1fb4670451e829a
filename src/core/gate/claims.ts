import type { Shards } from "../../store/shards.ts";
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
import { briskly, passOver } from "./brisk.ts";
import { committed } from "./commit-retry.ts";
import type { Core } from "./dependencies.ts";
import { instantsOf, later, RETRY, retryAt } from "./retry.ts";
import { tellWorkersAway } from "./workers-away.ts";

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
  /** Workspaces whose work is left for later. */
  readonly except?: readonly string[];
}

/** A claim of its own, from now on. */
export const newLease = (core: Core, leaseMs: number): Lease => ({
  ...instantsOf(core),
  claimId: core.newId(),
  expiresAt: later(core, leaseMs),
});

/** How work of one kind is found and claimed. */
interface Claiming<Row> {
  /** The next lines with something ready, of all workspaces; nothing is held. */
  find(tx: Transaction, shards: Shards, search: { after: Line | null; limit: number }): Promise<Line[]>;
  /** Claims of one of them, in its workspace; none where others were sooner. `hasMore` where it may have more than was looked at. */
  claim(tx: Transaction, line: Line, limit: number): Promise<{ rows: Row[]; hasMore?: boolean }>;
}

/**
 * Claims from the lines that anything is ready in, by turns. Ends with `limit` claimed, or once every line was read and none may
 * have more. Lines are found without a lock, and each is claimed from in a transaction of its workspace: no worker waits for one
 * line while holding another. A workspace that is busy with itself is passed over.
 */
export async function claimByTurns<Row>(
  core: Core,
  { limit, turn = { after: null } }: { limit: number; turn?: Turn | undefined },
  { find, claim }: Claiming<Row>,
) {
  const claimed: Row[] = [];
  const claimOf = (line: Line) =>
    committed(() => briskly(core).store.write(line.tenant_id, (tx) => claim(tx, line, limit - claimed.length)));
  const busy = new Set<string>();
  try {
    for (let isLastRound = turn.after === null; claimed.length < limit; ) {
      const search = { after: turn.after, limit: limit - claimed.length };
      const lines = await core.store.everyShard((tx, shards) => {
        tellWorkersAway(core, shards);
        return find(tx, shards, search);
      });
      for (const line of lines) {
        turn.after = line;
        if (busy.has(line.tenant_id)) continue;
        const { rows, hasMore = false } = await claimOf(line).catch((error: unknown) => {
          passOver(core, error, { tenantId: line.tenant_id, step: "claim" });
          busy.add(line.tenant_id);
          return { rows: [], hasMore: false };
        });
        claimed.push(...rows);
        if (hasMore) isLastRound = false;
        if (claimed.length >= limit) break;
      }
      if (lines.length > 0) continue;
      turn.after = null;
      if (isLastRound) break;
      isLastRound = true;
    }
  } catch (error) {
    // What is claimed already is done all the same.
    if (claimed.length === 0) throw error;
    core.log.warn({ err: error }, "work.claim_failed");
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
  return claimByTurns(core, options, {
    find: (tx, shards, search) => nextLines(tx, shards, kind, instantsOf(core), { ...search, except: options.except }),
    claim: async (tx, line, limit) => ({ rows: await claimOfLine(tx, kind, line, newLease(core, leaseMs), { limit }) }),
  });
}

/** Writes to a claimed row. False, and nothing written, where the claim held no more. */
export function changeClaimed<Table extends LeasedTable>(
  core: Core,
  table: Table,
  row: Claimed<Table>,
  change: Change<Table>,
) {
  return committed(() => core.store.write(row.tenant_id, (tx) => updateClaimed(tx, table, row, change)));
}

/** Keeps a claim for another lease, in milliseconds from now. False where it held no more. */
export function renewClaim<Table extends LeasedTable>(core: Core, table: Table, row: Claimed<Table>, leaseMs: number) {
  return changeClaimed(core, table, row, { lease_expires_at: later(core, leaseMs) });
}

/** Gives a lease back with the row's new values: it is finished, or tried again. False where the claim held no more. */
export function endClaim<Table extends LeasedTable>(
  core: Core,
  table: Table,
  row: Claimed<Table>,
  change: Change<Table> = {},
) {
  return changeClaimed(core, table, row, { ...change, ...UNCLAIMED });
}

/** The same after an attempt that failed unexpectedly. */
export function retrySoon<Table extends WorkTable>(
  core: Core,
  table: Table,
  row: Claimed<Table> & { attempts: number },
) {
  return endClaim(core, table, row, { next_attempt_at: retryAt(core, RETRY.unexpected, row.attempts) });
}
