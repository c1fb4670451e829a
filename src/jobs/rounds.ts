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

  async function run(): Promise<void> {
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
