import { sql } from "kysely";
import type { Transaction } from "./store.ts";

/** A round of work that one process does for all, and the process that does it. */
export interface JobRound {
  readonly job: string;
  readonly workerId: string;
}

/** When a round may begin. */
export interface RoundTimes {
  readonly now: string;
  readonly leaseUntil: string;
  /** What a lease ends beyond, or a round was done within of now: neither keeps the next from beginning. */
  readonly farthest: string;
  /** Nothing is due for so many milliseconds after a round that was done began. */
  readonly restMs: number;
}

/**
 * Begins a round under a lease; false where another process is at it, or it is not due yet. A round that was begun and not
 * done is due as soon as its lease has ended. A time ahead of the clock by the rest or more is a wrong clock's. For the system.
 */
export async function claimRound(tx: Transaction, { job, workerId }: JobRound, times: RoundTimes): Promise<boolean> {
  const { now, leaseUntil, farthest, restMs } = times;
  const rest = sql`${restMs}::float8 * interval '1 millisecond'`;
  const { rows } = await sql`
    insert into job_rounds as round (job, worker_id, lease_expires_at) values (${job}, ${workerId}, ${leaseUntil})
    on conflict (job) do update set worker_id = excluded.worker_id, lease_expires_at = excluded.lease_expires_at
    where round.lease_expires_at <= ${now} or round.lease_expires_at > ${farthest}
      or round.lease_expires_at is null and (round.done_at is null
        or round.done_at + ${rest} <= ${now} or round.done_at - ${rest} >= ${now})
    returning round.job`.execute(tx);
  return rows.length > 0;
}

/** Prolongs the lease of a round; false where another process has it by now. */
export async function renewRound(tx: Transaction, { job, workerId }: JobRound, leaseUntil: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("job_rounds")
    .set({ lease_expires_at: leaseUntil })
    .where("job", "=", job)
    .where("worker_id", "=", workerId)
    .where("lease_expires_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a round: done, of which it says when it began, or left for whoever comes next. */
export async function endRound(tx: Transaction, { job, workerId }: JobRound, doneAt: string | null): Promise<void> {
  await tx
    .updateTable("job_rounds")
    .set({ lease_expires_at: null, ...(doneAt === null ? {} : { done_at: doneAt }) })
    .where("job", "=", job)
    .where("worker_id", "=", workerId)
    .execute();
}
