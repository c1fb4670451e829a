import { setTimeout as sleep } from "node:timers/promises";
import { isMovedMeanwhile } from "../../store/planned-again.ts";
import { isUndone } from "../../store/unavailable.ts";

const ATTEMPTS = 3;

/** Commits, again where the store asks for it. Rejects with the signal's reason once it is aborted. */
export async function committed<T>(commit: () => Promise<T>, signal?: AbortSignal) {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await commit();
    } catch (error) {
      if (attempt >= ATTEMPTS || !(isUndone(error) || isMovedMeanwhile(error))) throw error;
      await sleep(attempt * 50);
    }
  }
}
