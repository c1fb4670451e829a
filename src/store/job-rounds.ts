import { sql } from "kysely";
import type { Transaction } from "./store.ts";

/** A periodic job, and the process that does one round of it for all. */
export interface JobRound {
  readonly job: string;
  readonly workerId: string;
}

/** When a round may begin. */
interface RoundTimes {
  readonly now: string;
  readonly leaseUntil: string;
  /** A lease that ends beyond this comes from a wrong clock, and does not hold. */
  readonly farthest: string;
  /** Milliseconds from the start of a finished round until the next is due. */
  readonly restMs: number;
}

/**
 * Begins a round under a lease; false when another process holds one, or none is due. An unfinished round is due when its
 * lease has ended. A `done_at` later than now by `restMs` or more came from a wrong clock. For a system transaction.
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

/** Renews the lease of a round; false when another process has it. */
export async function renewRound(tx: Transaction, { job, workerId }: JobRound, leaseUntil: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("job_rounds")
    .set({ lease_expires_at: leaseUntil })
    .where((column) => column.and({ job, worker_id: workerId }))
    .where("lease_expires_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a round; `doneAt` is when a finished one began, null leaves the round to another process. */
export async function endRound(tx: Transaction, { job, workerId }: JobRound, doneAt: string | null): Promise<void> {
  await tx
    .updateTable("job_rounds")
    .set({ lease_expires_at: null, ...(doneAt === null ? {} : { done_at: doneAt }) })
    .where((column) => column.and({ job, worker_id: workerId }))
    .execute();
}
