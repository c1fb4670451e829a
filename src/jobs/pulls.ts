import type { Core } from "../core/gate/dependencies.ts";
import type { ClaimShares } from "../core/sync-runs/claim-queries.ts";
import { type ClaimedRun, claimRuns } from "../core/sync-runs/claim-runs.ts";
import { FairTurns } from "../fair-turns.ts";
import type { InTurn } from "../store/once-free.ts";
import { type ErpWait, erpWait, makePlace, sharedPlaces, waitingUnder } from "./erp-wait.ts";
import { type ConnectGateway, pullInvoices } from "./pull-invoices.ts";

interface PullsOptions {
  readonly connect: ConnectGateway;
  readonly leaseMs: number;
  /** Pulls that may write what they read at once; four times as many may be under way. */
  readonly pullsAtOnce: number;
  /** How long an ERP says nothing until another pull may take its place. */
  readonly silentAfterMs: number;
  /** Claims no more runs. */
  readonly stop: AbortSignal;
  /** Gives up those under way as `interrupted`. */
  readonly giveUp: AbortSignal;
  /** Called when one has ended; `left` are still under way. Not once it has stopped. */
  onEnd(left: number): void;
}

interface Pull {
  readonly run: ClaimedRun;
  readonly tenantId: string;
  readonly wait: ErpWait;
}

/**
 * The pulls of one process, which share their places as {@link sharedPlaces} says. What they read they take in by turns of
 * workspaces, so that an ERP that answers without an end delays the others by a page.
 */
export function pullsOf(core: Core, { pullsAtOnce: slots, silentAfterMs, stop, ...options }: PullsOptions) {
  const { leaseMs, giveUp, connect, onEnd } = options;
  const underWay = new Map<Pull, Promise<void>>();
  const turns = new FairTurns({
    concurrency: slots,
    leavesRoom: true,
    waitingOfSource: Number.POSITIVE_INFINITY,
    sources: Number.POSITIVE_INFINITY,
  });

  /** How many more pulls may begin now, and what has to be known to share them out. */
  function room(): { free: number; shares: ClaimShares } {
    const pulls = [...underWay.keys()];
    const { free, most, tenants } = sharedPlaces(pulls, { slots, silentAfterMs });
    return { free, shares: { most, hosts: pulls.map(({ run }) => run.erp_host), tenants } };
  }

  function begin(run: ClaimedRun) {
    const pull = { run, tenantId: run.tenant_id, wait: erpWait() };
    const inTurn: InTurn = (work) => turns.run(run.tenant_id, work);
    const work = pullInvoices(core, waitingUnder(pull.wait, connect), run, giveUp, inTurn).finally(() => {
      underWay.delete(pull);
      if (!stop.aborted) onEnd(underWay.size);
    });
    underWay.set(pull, work);
    makePlace([...underWay.keys()], { slots, silentAfterMs });
  }

  async function fill() {
    for (;;) {
      const { free, shares } = room();
      if (stop.aborted || free === 0) return;
      // A few at a time: each that begins leaves less for others of its workspace and host.
      const runs = await claimRuns(core, { leaseMs, limit: Math.min(free, slots), shares });
      runs.forEach(begin);
      if (runs.length === 0) return;
    }
  }

  /** One claim at a time, so that no more runs are claimed than there is room for. */
  let claiming = Promise.resolve();
  return {
    /** Claims and pulls as many reserved runs as there are free places. Never rejects. */
    claim() {
      claiming = claiming.then(fill).catch((error: unknown) => core.log.error({ err: error }, "sync_runs.not_claimed"));
      return claiming;
    },
    idle: () => Promise.all(underWay.values()),
  };
}
