import { FairTurns, type FairTurnsOptions, TooBusy } from "../../fair-turns.ts";
import { ServiceError } from "../kernel/error.ts";

interface CostlyOptions extends FairTurnsOptions {
  /** What callers are told while too much of theirs waits. */
  readonly tooMuch: string;
  readonly retryAfterSeconds: number;
}

/**
 * Costly work that callers ask for, some pieces at a time in this process, workspaces (or people) in turn, so that it delays
 * nobody else. Throws `rate_limit_exceeded` where too much of one waits.
 */
export function costlyWork({ tooMuch, retryAfterSeconds, ...options }: CostlyOptions) {
  const turns = new FairTurns(options);
  return async function inTurn<T>(source: string, work: () => Promise<T>) {
    try {
      return await turns.run(source, work);
    } catch (error) {
      if (!(error instanceof TooBusy)) throw error;
      throw new ServiceError("rate_limit_exceeded", tooMuch, { retryAfterSeconds });
    }
  };
}
