import { setTimeout as sleep } from "node:timers/promises";
import type { KyselyPlugin } from "kysely";
import { HeldByAnother } from "./unavailable.ts";

/** Does something when it is its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

const HELD_PAUSE_MS = 200;

/** Tries again while another transaction holds what it begins with: meanwhile it has neither turn nor connection. Rejects with the signal's reason. */
export async function onceFree<T>(attempt: () => Promise<T>, patienceMs: number, signal?: AbortSignal): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof HeldByAnother) || performance.now() >= until) throw error;
      await sleep(HELD_PAUSE_MS);
    }
  }
}

/** After each statement, so that those whose access ends while they write much are not waited for and commit nothing. */
export const stopWith = (signal: AbortSignal): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    signal.throwIfAborted();
    return result;
  },
});
