import { FairTurns, TooBusy } from "../fair-turns.ts";
import { FREE_MS } from "./server/session.ts";
import { POOL_IN_USE, StoreUnavailable, unavailableFrom } from "./unavailable.ts";

/** Turns of tenants at the connections of a store: one that asks for much waits for itself, and no other does. */
export class TenantTurns {
  readonly #turns: FairTurns;

  /**
   * A fifth of the connections is left to the directory (none of two). A tenant's turns may all wait for a lock of its own: what
   * is left for others is more than it has. On the embedded store's one connection each waits for as long as it takes.
   */
  constructor(connections: number) {
    const everybody = { waitingOfSource: Number.POSITIVE_INFINITY, sources: Number.POSITIVE_INFINITY };
    const concurrency = Math.min(connections, Math.max(2, connections - Math.max(1, Math.floor(connections / 5))));
    this.#turns = new FairTurns({
      ...everybody,
      ...{ concurrency, leavesRoom: true },
      ...(connections > 1 && { waitMs: FREE_MS }),
    });
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  /** Throws StoreUnavailable where the turn does not come in time. */
  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#turns.run(tenantId, work);
    } catch (error) {
      throw error instanceof TooBusy ? unavailableFrom(new StoreUnavailable(POOL_IN_USE)) : error;
    }
  }
}
