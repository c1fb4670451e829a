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
