/** Work that is done in rounds: one at a time, and another one after it when it was asked for meanwhile. */
export interface Rounds {
  wake(): void;
  /** Resolves when no round is under way. */
  idle(): Promise<void>;
}

/** `work` is one round; what it rejects with goes to `failed`. */
export function rounds(work: () => Promise<unknown>, failed: (error: unknown) => void): Rounds {
  let underWay: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      await work().catch(failed);
    } while (again);
    underWay = null;
  }

  return {
    wake() {
      again = true;
      underWay ??= run();
    },
    idle: () => underWay ?? Promise.resolve(),
  };
}
