import { briskly, passOver } from "../gate/brisk.ts";
import { newLease, renewClaim } from "../gate/claims.ts";
import type { Core } from "../gate/dependencies.ts";
import { farthestOf } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import { type ClaimShares, claimUnledRun, type RunSearch, type UnledRun, unledRuns } from "./claim-queries.ts";

/** A claimed run; the claim is lost unless it is renewed within `leaseMs`. */
export type LedRun = NonNullable<Awaited<ReturnType<typeof claimUnledRun>>> & { readonly leaseMs: number };

/** The same, with what its process counts shares by. */
export type ClaimedRun = LedRun & UnledRun;

/** The run was ended or claimed by another: this worker must write nothing more. */
export class RunLostError extends Error {
  override readonly name = "RunLostError";
}

/** No limits, for a process that works on nothing else. */
const NO_SHARES: ClaimShares = { most: 1_000_000, hosts: [], tenants: [] };

/** Claims reserved runs of all tenants. */
export async function claimRuns(
  core: Core,
  { limit, leaseMs, shares = NO_SHARES }: { limit: number; leaseMs: number; shares?: ClaimShares },
) {
  const claimed: ClaimedRun[] = [];
  for (const unled of await findUnled(core, { limit, shares })) {
    const { tenant_id: tenantId, sync_run_id: syncRunId } = unled;
    try {
      const led = await claimRun(briskly(core), tenantId, { syncRunId, leaseMs });
      if (led !== null) claimed.push({ ...unled, ...led });
    } catch (error) {
      // What is claimed already is led all the same.
      if (claimed.length === 0) passOver(core, error, { tenantId, step: "claimRun" });
      else core.log.warn({ tenantId, err: error }, "sync_run.not_claimed");
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
  async run({ tx, core, actor: { tenantId } }, { syncRunId, leaseMs }: { syncRunId: string; leaseMs: number }) {
    const run = await claimUnledRun(tx, { tenant_id: tenantId, sync_run_id: syncRunId }, newLease(core, leaseMs));
    return run === undefined ? null : { ...run, leaseMs };
  },
});

/** Renews a run's lease; false where it is another's, or the run was ended. */
export const renewLease = (core: Core, led: LedRun) => renewClaim(core, "sync_runs", led, led.leaseMs);
