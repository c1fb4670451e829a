import { setTimeout as sleep } from "node:timers/promises";
import { isMovedMeanwhile } from "../../store/planned-again.ts";

const ATTEMPTS = 3;
/** PostgreSQL: serialization failure and deadlock; the transaction did nothing and may be tried again. */
const TRY_AGAIN = new Set(["40001", "40P01"]);

/** Commits, again where the store asks for it. Rejects with the signal's reason once it is aborted. */
export async function committed<T>(commit: () => Promise<T>, signal?: AbortSignal) {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await commit();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      const mayBeAgain = (typeof code === "string" && TRY_AGAIN.has(code)) || isMovedMeanwhile(error);
      if (attempt >= ATTEMPTS || !mayBeAgain) throw error;
      await sleep(attempt * 50);
    }
  }
}
