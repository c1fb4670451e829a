import type { Core } from "../core/gate/dependencies.ts";

/** Work that is done in rounds, another one after them when it was asked for while no more could begin. */
export interface Rounds {
  wake(): void;
  /** Resolves when no round of those under way is any more. */
  idle(): Promise<void>;
}

/**
 * `work` is one round, of which `atOnce` may be under way; what it rejects with goes to `failed`. A round that failed is not
 * followed at once by another: what it met, such as a store that is away, is still there.
 */
export function rounds(work: () => Promise<unknown>, failed: (error: unknown) => void, atOnce = 1): Rounds {
  const underWay = new Set<Promise<void>>();
  let busy = 0;
  let again = false;

  async function run() {
    busy += 1;
    let hasFailed = false;
    do {
      again = false;
      await work().catch((error: unknown) => {
        hasFailed = true;
        failed(error);
      });
    } while (again && !hasFailed);
    busy -= 1;
  }

  return {
    wake() {
      again = true;
      if (busy >= atOnce) return;
      const round = run().finally(() => underWay.delete(round));
      underWay.add(round);
    },
    async idle() {
      await Promise.all(underWay);
    },
  };
}

/** Looks for work, each begun by a timer or by itself; what they reject with is logged. */
export function looksOf(core: Core) {
  const underWay = new Set<Promise<void>>();
  const timers: NodeJS.Timeout[] = [];

  function begin(what: string, work: () => Promise<unknown>) {
    const look = work()
      .catch((error: unknown) => core.log.error({ err: error }, `${what} failed`))
      .then(() => void underWay.delete(look));
    underWay.add(look);
    return look;
  }

  return {
    begin,

    /** Does `work` every so often; a round that is still under way is not joined by another. */
    every(milliseconds: number, what: string, work: () => Promise<unknown>) {
      let busy = false;
      const round = async () => {
        // While the store is away there is nothing to be found.
        if (busy || core.store.isDeaf) return;
        busy = true;
        await begin(what, work);
        busy = false;
      };
      timers.push(setInterval(round, milliseconds));
    },

    /** Begins no more by timer, and resolves when those under way have ended. */
    async end() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

/** A lease that a worker keeps while it works. */
interface KeptLease {
  readonly leaseMs: number;
  /** False where the lease is somebody else's by now. */
  renew(): Promise<boolean>;
  /** Told what a renewal rejects with; the next one may go well. */
  failed(error: unknown): void;
}

/** Does work under a lease, renewed three times in its length; the work's signal is aborted once the lease is lost. */
export async function whileLeased<T>({ leaseMs, renew, failed }: KeptLease, work: (lost: AbortSignal) => Promise<T>) {
  const lost = new AbortController();
  const heartbeat = setInterval(() => void renew().then((kept) => kept || lost.abort(), failed), leaseMs / 3);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(heartbeat);
  }
}
