import { sql } from "kysely";
import type { Transaction } from "../store.ts";

/** Where failed authentications are counted: a source address and the start of a window. */
export interface AttemptCounter {
  subject: string;
  windowStart: string;
}

const keyOf = ({ subject, windowStart }: AttemptCounter) => ({ subject, window_start: windowStart });

/** Failures counted so far. Tables of no tenant: for a system transaction. */
export async function countedAttempts(tx: Transaction, counter: AttemptCounter): Promise<number> {
  const row = await tx
    .selectFrom("attempt_windows")
    .select("hits")
    .where((column) => column.and(keyOf(counter)))
    .executeTakeFirst();
  return row?.hits ?? 0;
}

/** Counts one more failure; answers how many that makes, exact across processes. */
export async function countAttempt(tx: Transaction, counter: AttemptCounter): Promise<number> {
  const row = await tx
    .insertInto("attempt_windows")
    .values({ ...keyOf(counter), hits: 1 })
    .onConflict((conflict) =>
      conflict.columns(["subject", "window_start"]).doUpdateSet({ hits: sql`attempt_windows.hits + 1` }),
    )
    .returning("hits")
    .executeTakeFirstOrThrow();
  return row.hits;
}

/** Starts the count again. */
export async function forgetAttempts(tx: Transaction, counter: AttemptCounter): Promise<void> {
  await tx
    .deleteFrom("attempt_windows")
    .where((column) => column.and(keyOf(counter)))
    .execute();
}

/** Counts one more failure unless there were `most` already; how many there were before, and with this one (null where not counted). */
export async function countAttemptUpTo(
  tx: Transaction,
  { subject, windowStart }: AttemptCounter,
  most: number,
): Promise<{ before: number; after: number | null }> {
  const { rows } = await sql<{ before: number; after: number | null }>`
    with known as (
      select coalesce((
        select hits from attempt_windows where subject = ${subject} and window_start = ${windowStart}), 0) as hits
    ), counted as (
      insert into attempt_windows (subject, window_start, hits)
      select ${subject}, ${windowStart}::timestamptz, 1 from known where known.hits < ${most}::int
      on conflict (subject, window_start) do update set hits = attempt_windows.hits + 1
      returning hits
    )
    select known.hits as before, counted.hits as after from known left join counted on true`.execute(tx);
  const [counts] = rows;
  if (counts === undefined) throw new Error("the statement always answers one row");
  return counts;
}
