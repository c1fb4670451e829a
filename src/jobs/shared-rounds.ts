import { type Core, nowOf } from "../core/gate/dependencies.ts";
import { farthestOf, later } from "../core/gate/retry.ts";
import { claimRound, endRound, renewRound } from "../store/job-rounds.ts";
import { whileLeased } from "./rounds.ts";

/** Timers are never exact: a round is due a little before its time has passed. */
const PUNCTUALITY = 0.9;

/** Work that any one of several processes does for all of them, every so often. */
export interface SharedWork {
  readonly job: string;
  readonly everyMs: number;
  /** Claims nothing more once it is aborted; what is left is the next round's. */
  work(stop: AbortSignal): Promise<unknown>;
}

interface SharingOptions {
  readonly workerId: string;
  /** How long a worker that says nothing is believed alive. */
  readonly leaseMs: number;
  readonly stop: AbortSignal;
}

/**
 * Does a round of the work, unless another process is at it or has done it lately; with N processes it costs what it costs
 * with one. The round of a process that is gone is due once its lease has ended. Answers whether it was done here; rejects as
 * the work does, which is then due again at once.
 */
export async function shareRound(
  core: Pick<Core, "clock" | "store" | "log">,
  { job, everyMs, work }: SharedWork,
  { workerId, leaseMs, stop }: SharingOptions,
) {
  const round = { job, workerId };
  const began = nowOf(core);
  const leaseUntil = () => later(core, leaseMs);
  const times = { now: began, leaseUntil: leaseUntil(), farthest: farthestOf(began), restMs: everyMs * PUNCTUALITY };
  if (!(await core.store.statement((tx) => claimRound(tx, round, times)))) return false;

  const lease = {
    leaseMs,
    renew: () => core.store.statement((tx) => renewRound(tx, round, leaseUntil())),
    failed: (error: unknown) => core.log.warn({ job, err: error }, "job.round.not_renewed"),
  };
  return whileLeased(lease, async (lost) => {
    const signal = AbortSignal.any([stop, lost]);
    let isDone = false;
    try {
      await work(signal);
      isDone = !signal.aborted;
    } finally {
      if (!lost.aborted) await core.store.statement((tx) => endRound(tx, round, isDone ? began : null));
    }
    return isDone;
  });
}
