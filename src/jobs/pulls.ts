import type { Core } from "../core/gate/dependencies.ts";
import type { ClaimShares } from "../core/sync-runs/claim-queries.ts";
import { type ClaimedRun, claimRuns } from "../core/sync-runs/claim-runs.ts";
import { type ErpWait, erpWait, leaveOneFree, sharedSlots, waitingUnder } from "./erp-wait.ts";
import { type ConnectGateway, pullInvoices } from "./pull-invoices.ts";

interface PullsOptions {
  readonly connect: ConnectGateway;
  readonly leaseMs: number;
  /** Slots: pulls at once, not counting those that wait for ERPs which do not answer beyond half of it. */
  readonly pullsAtOnce: number;
  /** How long an ERP says nothing, at once or a little at a time, until its pull counts as waiting. */
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
  readonly wasAway: boolean;
  readonly wait: ErpWait;
}

/**
 * The pulls of one process, which share their slots as {@link sharedSlots} says. One host and ERPs that were away the last time
 * get half at most, as one workspace does.
 */
export function pullsOf(core: Core, { pullsAtOnce: slots, silentAfterMs, stop, ...options }: PullsOptions) {
  const { leaseMs, giveUp, connect, onEnd } = options;
  const underWay = new Map<Pull, Promise<void>>();

  /** How many more pulls may begin now, and what has to be known to share them out. */
  function room(): { limit: number; shares: ClaimShares } {
    const pulls = [...underWay.keys()];
    const { free, half, tenants, away } = sharedSlots(pulls, slots);
    return {
      limit: free,
      shares: {
        most: half,
        hosts: pulls.map(({ run }) => run.erp_host),
        tenants,
        unreachable: away,
      },
    };
  }

  async function fill() {
    const { limit, shares } = room();
    if (stop.aborted || limit <= 0) return;
    for (const run of await claimRuns(core, { leaseMs, limit, shares })) {
      const pull = { run, tenantId: run.tenant_id, wasAway: run.is_unreachable, wait: erpWait(silentAfterMs) };
      const work = pullInvoices(core, waitingUnder(pull.wait, connect), run, giveUp).finally(() => {
        underWay.delete(pull);
        if (!stop.aborted) onEnd(underWay.size);
      });
      underWay.set(pull, work);
      leaveOneFree([...underWay.keys()], slots);
    }
  }

  /** One claim at a time, so that no more runs are claimed than there is room for. */
  let claiming = Promise.resolve();
  return {
    /** Claims and pulls as many reserved runs as there are free slots. Never rejects. */
    claim() {
      claiming = claiming.then(fill).catch((error: unknown) => core.log.error({ err: error }, "sync_runs.not_claimed"));
      return claiming;
    },
    idle: () => Promise.all(underWay.values()),
  };
}
