import { sql } from "kysely";
import type { Transaction } from "../store.ts";

/** When a further guess is let through. */
export interface GuessDelay {
  readonly free: number;
  /** After the first that is not; doubled with each. */
  readonly firstSeconds: number;
  readonly mostSeconds: number;
  /** After this time without a guess, counting starts again. */
  readonly forgetSeconds: number;
}

/**
 * Counts a guess, exactly; 0 where it may be made, else the seconds of delay left. For a system transaction. One of an hour later than
 * now came from a wrong clock, for those of processes are not as far apart: nobody waits for that time.
 */
export async function admitGuess(
  tx: Transaction,
  { subject, now, delay }: { subject: string; now: string; delay: GuessDelay },
): Promise<number> {
  const { free, firstSeconds, mostSeconds, forgetSeconds } = delay;
  const wait = sql`case when known.failures < ${free}::int then 0 else
    least(${mostSeconds}::float8, ${firstSeconds}::float8 * power(2, least(known.failures - ${free}::int, 30))) end * interval '1 second'`;
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failures as known (subject, failures, last_at) values (${subject}, 1, ${now}::timestamptz)
    on conflict (subject) do update set
      failures = case when known.last_at < excluded.last_at - ${forgetSeconds}::float8 * interval '1 second' then 1
        else known.failures + 1 end,
      last_at = excluded.last_at
    where least(known.last_at, excluded.last_at) + ${wait} <= excluded.last_at
      or known.last_at > excluded.last_at + interval '1 hour'
    returning failures`.execute(tx);
  if (rows.length > 0) return 0;
  const left = await sql<{ seconds: number }>`
    select ceil(extract(epoch from known.last_at + ${wait} - ${now}::timestamptz))::int as seconds
    from sign_in_failures as known where subject = ${subject}`.execute(tx);
  return Math.max(1, left.rows[0]?.seconds ?? 1);
}

/** Starts the count again: the password was right. */
export async function forgetGuesses(tx: Transaction, subject: string): Promise<void> {
  await tx.deleteFrom("sign_in_failures").where("subject", "=", subject).execute();
}

/** Whether a person signed in from an address, named by any of its digests, since an instant. */
export async function knowsAddress(
  tx: Transaction,
  { personId, hashes, since }: { personId: string; hashes: readonly string[]; since: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom("sign_in_addresses")
    .select("address_hash")
    .where("person_id", "=", personId)
    .where("address_hash", "in", hashes)
    .where("last_at", ">", since)
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers that a person signed in from an address; of each person the latest `most`. */
export async function rememberAddress(
  tx: Transaction,
  { personId, hash, now, most }: { personId: string; hash: string; now: string; most: number },
): Promise<void> {
  await tx
    .insertInto("sign_in_addresses")
    .values({ person_id: personId, address_hash: hash, last_at: now })
    .onConflict((conflict) => conflict.columns(["person_id", "address_hash"]).doUpdateSet({ last_at: now }))
    .execute();
  await sql`delete from sign_in_addresses where person_id = ${personId} and address_hash in (
    select address_hash from sign_in_addresses where person_id = ${personId}
    order by last_at desc, address_hash offset ${most}::int)`.execute(tx);
}
