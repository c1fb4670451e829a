import type { Core } from "../core/gate/core.ts";
import { claimRuns } from "../core/sync-runs/lead-run.ts";
import { waitingUnder } from "./erp-wait.ts";
import { type ConnectGateway, pullInvoices } from "./pull-invoices.ts";
import { PullSlots } from "./pull-slots.ts";

interface PullsOptions {
  readonly connect: ConnectGateway;
  readonly leaseMs: number;
  readonly pullsAtOnce: number;
  readonly silentAfterMs: number;
  /** Claims no more runs. */
  readonly stop: AbortSignal;
  /** Gives up those under way as `interrupted`. */
  readonly giveUp: AbortSignal;
  /** Called when one has ended; `left` are still under way. Not once it has stopped. */
  onEnd(left: number): void;
}

/** The pulls of one process: it claims as many reserved runs as there are slots for. */
export class Pulls {
  readonly #core: Core;
  readonly #options: PullsOptions;
  readonly #slots: PullSlots;
  readonly #underWay = new Set<Promise<void>>();
  /** One claim at a time, so that no more runs are claimed than there is room for. */
  #claiming: Promise<void> = Promise.resolve();

  constructor(core: Core, options: PullsOptions) {
    this.#core = core;
    this.#options = options;
    this.#slots = new PullSlots({ slots: options.pullsAtOnce, silentAfterMs: options.silentAfterMs });
  }

  /** Never rejects. */
  claim(): Promise<void> {
    this.#claiming = this.#claiming
      .then(() => this.#claimFree())
      .catch((error: unknown) => this.#core.log.error({ err: error }, "runs could not be taken up"));
    return this.#claiming;
  }

  async idle(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #claimFree(): Promise<void> {
    const { leaseMs, stop, giveUp, connect, onEnd } = this.#options;
    const { free: limit, shares } = this.#slots;
    if (stop.aborted || limit <= 0) return;
    for (const led of await claimRuns(this.#core, { leaseMs, limit, shares })) {
      const work = this.#slots.during(led.run, (wait) =>
        pullInvoices(this.#core, waitingUnder(wait, connect), led, giveUp),
      );
      const pull = work.finally(() => {
        this.#underWay.delete(pull);
        if (!stop.aborted) onEnd(this.#underWay.size);
      });
      this.#underWay.add(pull);
    }
  }
}
