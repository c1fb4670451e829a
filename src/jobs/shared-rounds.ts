import { type Core, nowOf } from "../core/gate/dependencies.ts";
import { farthestOf } from "../core/gate/retry.ts";
import { claimRound, endRound, type JobRound, renewRound } from "../store/job-rounds.ts";

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
): Promise<boolean> {
  const round: JobRound = { job, workerId };
  const began = nowOf(core);
  const leaseUntil = (): string => new Date(core.clock.now().getTime() + leaseMs).toISOString();
  const times = { now: began, leaseUntil: leaseUntil(), farthest: farthestOf(began), restMs: everyMs * PUNCTUALITY };
  if (!(await core.store.statement((tx) => claimRound(tx, round, times)))) return false;

  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  const heartbeat = setInterval(() => {
    core.store
      .statement((tx) => renewRound(tx, round, leaseUntil()))
      .then(
        (kept) => kept || lost.abort(),
        (error: unknown) => core.log.warn({ job, err: error }, "job.round.not_renewed"),
      );
  }, leaseMs / 3);
  let isDone = false;
  try {
    await work(signal);
    isDone = !signal.aborted;
  } finally {
    clearInterval(heartbeat);
    if (!lost.signal.aborted) await core.store.statement((tx) => endRound(tx, round, isDone ? began : null));
  }
  return isDone;
}
