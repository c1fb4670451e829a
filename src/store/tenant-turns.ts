import { FairTurns, type FairTurnsOptions, TooBusy } from "../fair-turns.ts";
import { FREE_MS } from "./server/session.ts";
import { POOL_IN_USE, StoreUnavailable, unavailableFrom } from "./unavailable.ts";

type TurnsOptions = Pick<FairTurnsOptions, "waitMs" | "leavesRoom">;

/**
 * Turns of tenants, and of what the directory is asked about, at the connections of a store: one that asks for much waits for itself,
 * and no other does. Its turns may all wait for a lock of its own, so it has no more of them than stay free.
 */
export class TenantTurns {
  readonly #turns: FairTurns;

  private constructor(concurrency: number, { waitMs, leavesRoom = true }: TurnsOptions = {}) {
    const everybody = { waitingOfSource: Number.POSITIVE_INFINITY, sources: Number.POSITIVE_INFINITY };
    this.#turns = new FairTurns({
      ...everybody,
      concurrency,
      leavesRoom,
      ...(waitMs !== undefined && { waitMs }),
    });
  }

  /** Each waits for as long as it takes. */
  static atOneConnection() {
    return new TenantTurns(1);
  }

  /** A fifth of the connections is left to the directory, none of two. */
  static ofCalls(connections: number) {
    const left = Math.max(1, Math.floor(connections / 5));
    return new TenantTurns(Math.min(connections, Math.max(2, connections - left)), { waitMs: FREE_MS });
  }

  /** Half of the connections: what many of the directory's transactions wait for, a row or each other, leaves tenants theirs. */
  static ofDirectory(connections: number) {
    return new TenantTurns(Math.max(2, Math.floor(connections / 2)), { waitMs: 2 * FREE_MS });
  }

  /** The service's own work, which may wait long, has two fifths of the connections at most: the rest is left to calls. */
  static ofOwnWork(connections: number) {
    return new TenantTurns(Math.max(1, Math.floor((connections * 2) / 5)));
  }

  /** What goes from one workspace to the next: it is soon done, of whichever workspace, and waits for no turn of other work. */
  static ofBriskWork() {
    return new TenantTurns(3, { leavesRoom: false });
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
