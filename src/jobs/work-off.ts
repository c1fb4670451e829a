import type { Turn } from "../core/gate/claims.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { ServiceError } from "../core/kernel/error.ts";

/** Work of one kind, as a job does it. */
interface WorkToDo<Row> {
  /** What the log calls it. */
  readonly event: string;
  /** Claims nothing more. */
  readonly stop?: AbortSignal | undefined;
  /** Claims the next few; `turn` is the same each time. */
  claim(turn: Turn): Promise<readonly Row[]>;
  work(row: Row): Promise<unknown>;
  /** Gives the lease back after an attempt that failed unexpectedly. */
  retry(row: Row): Promise<unknown>;
  fieldsOf(row: Row): object;
}

/**
 * Claims work and does it, all that is claimed together at once, until nothing is due or `stop` says so. What fails unexpectedly
 * is tried again soon; where even its lease cannot be given back, that runs out by itself. Answers how much was claimed.
 */
export async function workOff<Row>(core: Core, todo: WorkToDo<Row>): Promise<number> {
  const { event, claim, work, retry, fieldsOf, stop } = todo;
  const one = (row: Row): Promise<unknown> =>
    work(row).catch(async (error: unknown) => {
      core.log[error instanceof ServiceError ? "warn" : "error"]({ ...fieldsOf(row), err: error }, `${event}.failed`);
      await retry(row).catch((failure: unknown) =>
        core.log.error({ ...fieldsOf(row), err: failure }, `${event}.not_released`),
      );
    });
  const turn: Turn = { after: null };
  let done = 0;
  while (stop?.aborted !== true) {
    const claimed = await claim(turn);
    if (claimed.length === 0) break;
    await Promise.all(claimed.map(one));
    done += claimed.length;
  }
  return done;
}
