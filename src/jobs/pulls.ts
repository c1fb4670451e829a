import type { Core } from "../core/gate/dependencies.ts";
import type { ClaimedRun, ClaimShares } from "../core/sync-runs/claim-queries.ts";
import { claimRuns } from "../core/sync-runs/claim-runs.ts";
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
export class Pulls {
  readonly #core: Core;
  readonly #options: PullsOptions;
  readonly #underWay = new Map<Pull, Promise<void>>();
  /** One claim at a time, so that no more runs are claimed than there is room for. */
  #claiming: Promise<void> = Promise.resolve();

  constructor(core: Core, options: PullsOptions) {
    this.#core = core;
    this.#options = options;
  }

  /** Claims and pulls as many reserved runs as there are free slots. Never rejects. */
  claim(): Promise<void> {
    this.#claiming = this.#claiming
      .then(() => this.#fill())
      .catch((error: unknown) => this.#core.log.error({ err: error }, "sync_runs.not_claimed"));
    return this.#claiming;
  }

  async idle(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  async #fill(): Promise<void> {
    const { leaseMs, stop, giveUp, connect, onEnd } = this.#options;
    const limit = this.#free;
    if (stop.aborted || limit <= 0) return;
    for (const led of await claimRuns(this.#core, { leaseMs, limit, shares: this.#shares })) {
      const pull: Pull = { run: led.run, wait: new ErpWait() };
      const work = pullInvoices(this.#core, waitingUnder(pull.wait, connect), led, giveUp).finally(() => {
        this.#underWay.delete(pull);
        if (!stop.aborted) onEnd(this.#underWay.size);
      });
      this.#underWay.set(pull, work);
    }
  }

  /** How many more pulls may begin now. */
  get #free(): number {
    const { pullsAtOnce: slots } = this.#options;
    const pulls = [...this.#underWay.keys()];
    const waiting = pulls.filter((pull) => this.#isWaiting(pull)).length;
    const free = slots - (pulls.length - waiting) - Math.min(waiting, this.#half);
    return Math.max(0, Math.min(free, PULLS_PER_SLOT * slots - pulls.length));
  }

  /** What has to be known to share the free slots out. */
  get #shares(): ClaimShares {
    const pulls = [...this.#underWay.keys()];
    const { waiting = [], working = [] } = Object.groupBy(pulls, (pull) =>
      this.#isWaiting(pull) ? "waiting" : "working",
    );
    return {
      most: this.#half,
      hosts: pulls.map(({ run }) => run.erp_host),
      tenants: [...working, ...beyond(waiting, this.#half)].map(({ run }) => run.tenant_id),
      unreachable: pulls.filter((pull) => this.#isAway(pull)).length,
    };
  }

  get #half(): number {
    return Math.ceil(this.#options.pullsAtOnce / 2);
  }

  #isWaiting({ wait }: Pull): boolean {
    return wait.waitedMs > this.#options.silentAfterMs;
  }

  /** Whether its ERP has not answered yet, and does not, or did not the last time. */
  #isAway(pull: Pull): boolean {
    return !pull.wait.hasAnswered && (pull.run.is_unreachable || this.#isWaiting(pull));
  }
}

/** All but the first few of each workspace. */
function beyond(pulls: readonly Pull[], most: number): Pull[] {
  const byTenant = Map.groupBy(pulls, ({ run }) => run.tenant_id);
  return [...byTenant.values()].flatMap((own) => own.slice(most));
}

/** Each moment of work makes up for this many of waiting: what takes a third of its time for work does not wait. */
const WAITS_PER_WORK = 2;

/** How long a pull has been waiting for its ERP. */
class ErpWait {
  #asked = 0;
  /** When the ERP was asked or last answered; of the machine's own time, which nobody sets. */
  #since = performance.now();
  /** Waiting of before that, less the work beside it. */
  #waitedMs = 0;
  #hasAnswered = false;

  /** Whether it ever said anything. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Milliseconds that the pull waited beyond what goes with its work: an ERP that sends a little at a time adds them up. */
  get waitedMs(): number {
    const passed = performance.now() - this.#since;
    return Math.max(0, this.#waitedMs + (this.#asked > 0 ? passed : -WAITS_PER_WORK * passed));
  }

  async during<T>(asking: Promise<T>): Promise<T> {
    if (this.#asked === 0) this.#note();
    this.#asked += 1;
    try {
      const answer = await asking;
      this.#hasAnswered = true;
      return answer;
    } finally {
      this.#note();
      this.#asked -= 1;
    }
  }

  #note(): void {
    this.#waitedMs = this.waitedMs;
    this.#since = performance.now();
  }
}

/** The same connector, whose every answer is waited for under `wait`. */
function waitingUnder(wait: ErpWait, connect: ConnectGateway): ConnectGateway {
  return (provider, settings) => {
    const gateway = connect(provider, settings);
    return {
      readInvoicePages: (options) => pages(gateway.readInvoicePages(options), wait),
      findInvoices: (ids, options) => pages(gateway.findInvoices(ids, options), wait),
      readBillingContacts: (ids, options) => wait.during(gateway.readBillingContacts(ids, options)),
      findReceipt: (number, options) => wait.during(gateway.findReceipt(number, options)),
      createReceipt: (receipt, options) => wait.during(gateway.createReceipt(receipt, options)),
      applyReceipt: (application, options) => wait.during(gateway.applyReceipt(application, options)),
      readReceipt: (id, options) => wait.during(gateway.readReceipt(id, options)),
      readReceipts: (ids, options) => wait.during(gateway.readReceipts(ids, options)),
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
