import type { ClaimedRun, ClaimShares } from "../core/sync-runs/claim-queries.ts";
import { ErpWait } from "./erp-wait.ts";

interface SlotOptions {
  /** Pulls at once, not counting those that wait for ERPs which do not answer beyond half of it. */
  readonly slots: number;
  /** How long an ERP says nothing, at once or a little at a time, until its pull counts as waiting. */
  readonly silentAfterMs: number;
}

interface HeldSlot {
  readonly run: ClaimedRun;
  readonly wait: ErpWait;
}

/** For each slot so many pulls at most, waiting ones too. */
const PULLS_PER_SLOT = 4;

/**
 * The pulls of one process. Those that wait for their ERP hold half of the slots at most: what is beyond costs nothing but a
 * connection, and others begin beside it. One host, one workspace and ERPs that were away the last time get half at most;
 * a workspace has half as many that wait beside them, so that two cannot use up all connections.
 */
export class PullSlots {
  readonly #slots: number;
  readonly #silentAfterMs: number;
  readonly #held = new Set<HeldSlot>();

  constructor({ slots, silentAfterMs }: SlotOptions) {
    this.#slots = slots;
    this.#silentAfterMs = silentAfterMs;
  }

  /** How many more pulls may begin now. */
  get free(): number {
    const held = this.#held.size;
    const waiting = [...this.#held].filter((slot) => this.#isWaiting(slot)).length;
    const free = this.#slots - (held - waiting) - Math.min(waiting, this.#half);
    return Math.max(0, Math.min(free, PULLS_PER_SLOT * this.#slots - held));
  }

  /** What has to be known to share the free ones out. */
  get shares(): ClaimShares {
    const held = [...this.#held];
    return {
      most: this.#half,
      hosts: held.map(({ run }) => run.erp_host),
      tenants: [
        ...held.filter((slot) => !this.#isWaiting(slot)),
        ...beyond(
          held.filter((slot) => this.#isWaiting(slot)),
          this.#half,
        ),
      ].map(({ run }) => run.tenant_id),
      unreachable: held.filter((slot) => this.#isAway(slot)).length,
    };
  }

  /** Holds a slot for as long as the pull takes. */
  async during(run: ClaimedRun, pull: (wait: ErpWait) => Promise<void>): Promise<void> {
    const slot = { run, wait: new ErpWait() };
    this.#held.add(slot);
    try {
      await pull(slot.wait);
    } finally {
      this.#held.delete(slot);
    }
  }

  get #half(): number {
    return Math.ceil(this.#slots / 2);
  }

  #isWaiting({ wait }: HeldSlot): boolean {
    return wait.waitedMs > this.#silentAfterMs;
  }

  /** Whether its ERP has not answered yet, and does not, or did not the last time. */
  #isAway(slot: HeldSlot): boolean {
    return !slot.wait.hasAnswered && (slot.run.is_unreachable || this.#isWaiting(slot));
  }
}

/** All but the first so many of each workspace. */
function beyond(slots: readonly HeldSlot[], most: number): HeldSlot[] {
  const byTenant = Map.groupBy(slots, ({ run }) => run.tenant_id);
  return [...byTenant.values()].flatMap((own) => own.slice(most));
}
