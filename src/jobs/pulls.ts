import type { Core } from "../core/gate/dependencies.ts";
import type { ClaimShares } from "../core/sync-runs/claim-queries.ts";
import { type ClaimedRun, claimRuns } from "../core/sync-runs/claim-runs.ts";
import type { ErpGateway } from "../gateways/erp/gateway.ts";
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
  readonly wait: ErpWait;
}

/** The most pulls for each slot, waiting ones too. */
const PULLS_PER_SLOT = 4;

/**
 * The pulls of one process. Those that wait for their ERP hold half of the slots at most: what is beyond costs nothing but a
 * connection, and others begin beside it. One host, one workspace and ERPs that were away the last time get half at most;
 * a workspace has half as many that wait beside them, so that two cannot use up all connections.
 */
export function pullsOf(core: Core, { pullsAtOnce: slots, silentAfterMs, stop, ...options }: PullsOptions) {
  const { leaseMs, giveUp, connect, onEnd } = options;
  const underWay = new Map<Pull, Promise<void>>();
  const half = Math.ceil(slots / 2);
  const isWaiting = ({ wait }: Pull) => wait.waitedMs() > silentAfterMs;
  /** Whether its ERP has not answered yet, and does not, or did not the last time. */
  const isAway = (pull: Pull) => !pull.wait.hasAnswered() && (pull.run.is_unreachable || isWaiting(pull));

  /** How many more pulls may begin now, and what has to be known to share them out. */
  function room(): { limit: number; shares: ClaimShares } {
    const pulls = [...underWay.keys()];
    const [waiting, working] = [pulls.filter(isWaiting), pulls.filter((pull) => !isWaiting(pull))];
    const free = slots - working.length - Math.min(waiting.length, half);
    return {
      limit: Math.min(free, PULLS_PER_SLOT * slots - pulls.length),
      shares: {
        most: half,
        hosts: pulls.map(({ run }) => run.erp_host),
        tenants: [...working, ...beyond(waiting, half)].map(({ run }) => run.tenant_id),
        unreachable: pulls.filter(isAway).length,
      },
    };
  }

  async function fill() {
    const { limit, shares } = room();
    if (stop.aborted || limit <= 0) return;
    for (const run of await claimRuns(core, { leaseMs, limit, shares })) {
      const pull = { run, wait: erpWait() };
      const work = pullInvoices(core, waitingUnder(pull.wait, connect), run, giveUp).finally(() => {
        underWay.delete(pull);
        if (!stop.aborted) onEnd(underWay.size);
      });
      underWay.set(pull, work);
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

/** All but the first few of each workspace. */
function beyond(pulls: readonly Pull[], most: number) {
  const byTenant = Map.groupBy(pulls, ({ run }) => run.tenant_id);
  return [...byTenant.values()].flatMap((own) => own.slice(most));
}

/** Each moment of work makes up for this many of waiting: what takes a third of its time for work does not wait. */
const WAITS_PER_WORK = 2;

/** How long a pull has been waiting for its ERP. */
function erpWait() {
  let asked = 0;
  /** When the ERP was asked or last answered; of the machine's own time, which nobody sets. */
  let since = performance.now();
  /** Waiting of before that, less the work beside it. */
  let before = 0;
  let hasAnswered = false;
  /** Milliseconds that the pull waited beyond what goes with its work: an ERP that sends a little at a time adds them up. */
  const waitedMs = () => {
    const passed = performance.now() - since;
    return Math.max(0, before + (asked > 0 ? passed : -WAITS_PER_WORK * passed));
  };
  const note = () => {
    before = waitedMs();
    since = performance.now();
  };
  return {
    waitedMs,
    hasAnswered: () => hasAnswered,
    async during<T>(asking: Promise<T>) {
      if (asked === 0) note();
      asked += 1;
      try {
        const answer = await asking;
        hasAnswered = true;
        return answer;
      } finally {
        note();
        asked -= 1;
      }
    },
  };
}

type ErpWait = ReturnType<typeof erpWait>;

/** The same connector, whose every answer is waited for under `wait`. */
function waitingUnder(wait: ErpWait, connect: ConnectGateway): ConnectGateway {
  const waited =
    <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
    (...given: Given) =>
      wait.during(ask(...given));
  return (provider, settings) => {
    const gateway = connect(provider, settings);
    return {
      readInvoicePages: (options) => pages(gateway.readInvoicePages(options), wait),
      findInvoices: (ids, options) => pages(gateway.findInvoices(ids, options), wait),
      readBillingContacts: waited(gateway.readBillingContacts),
      findReceipt: waited(gateway.findReceipt),
      createReceipt: waited(gateway.createReceipt),
      applyReceipt: waited(gateway.applyReceipt),
      readReceipt: waited(gateway.readReceipt),
      readReceipts: waited(gateway.readReceipts),
    };
  };
}

function pages(source: ReturnType<ErpGateway["readInvoicePages"]>, wait: ErpWait): typeof source {
  return {
    [Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]();
      return {
        next: () => wait.during(iterator.next()),
        return: async (value) => (await iterator.return?.(value)) ?? { done: true, value },
      };
    },
  };
}
