import { newLease, renewClaim } from "../gate/claims.ts";
import type { Core } from "../gate/dependencies.ts";
import { farthestOf } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import {
  type ClaimedRun,
  type ClaimShares,
  claimUnledRun,
  type RunSearch,
  type RunToLead,
  unledRuns,
} from "./claim-queries.ts";

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

const findUnled = workStep({
  in: "all workspaces",
  run: ({ tx, shards, now }, search: Pick<RunSearch, "limit" | "shares">) =>
    unledRuns(tx, shards, { ...search, farthest: farthestOf(now) }),
});

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

/** Renews a run's lease; false where it is another's, or the run was ended. */
export const renewLease = (core: Core, { run, claimId, leaseMs }: LedRun): Promise<boolean> =>
  renewClaim(core, "sync_runs", { ...run, claim_id: claimId }, leaseMs);
