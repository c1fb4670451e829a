import type { Transaction } from "../../src/store/store.ts";
import type { SecondFactorRow } from "../../src/store/tables/identity.ts";

/** A person's second factor, active or not; locked on request. For a system transaction. */
export function selectFactor(tx: Transaction, personId: string, hold?: "locked"): Promise<SecondFactorRow | undefined> {
  const found = tx.selectFrom("second_factors").selectAll().where("person_id", "=", personId);
  return (hold === undefined ? found : found.forUpdate()).executeTakeFirst();
}

/** Stores an unconfirmed secret in place of an earlier unconfirmed one; a confirmed one is kept. */
export async function upsertUnconfirmed(
  tx: Transaction,
  row: Pick<SecondFactorRow, "person_id" | "secret" | "created_at">,
): Promise<void> {
  await tx
    .insertInto("second_factors")
    .values({ ...row, confirmed_at: null, last_step: "0" })
    .onConflict((conflict) =>
      conflict
        .column("person_id")
        .doUpdateSet({ secret: row.secret, created_at: row.created_at })
        .where("second_factors.confirmed_at", "is", null),
    )
    .execute();
}

export async function updateFactor(
  tx: Transaction,
  personId: string,
  change: Partial<Pick<SecondFactorRow, "confirmed_at" | "last_step">>,
): Promise<void> {
  await tx.updateTable("second_factors").set(change).where("person_id", "=", personId).execute();
}

/** Deletes a second factor and its recovery codes; false if there was none. */
export async function deleteFactor(tx: Transaction, personId: string): Promise<boolean> {
  await tx.deleteFrom("recovery_codes").where("person_id", "=", personId).execute();
  const { numDeletedRows } = await tx.deleteFrom("second_factors").where("person_id", "=", personId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Replaces a person's recovery codes. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  personId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("person_id", "=", personId).execute();
  await tx
    .insertInto("recovery_codes")
    .values(hashes.map((code_hash) => ({ person_id: personId, code_hash })))
    .execute();
}

/** Uses up a recovery code; false if the person has no such code. */
export async function useRecoveryCode(tx: Transaction, personId: string, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("recovery_codes")
    .where("person_id", "=", personId)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(tx: Transaction, personId: string): Promise<number> {
  const { count } = await tx
    .selectFrom("recovery_codes")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("person_id", "=", personId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Marks a session as signed in with a second factor, and ends the person's other sessions. */
export async function keepProvedSession(
  tx: Transaction,
  { personId, sessionHash }: { personId: string; sessionHash: string },
): Promise<void> {
  await tx
    .deleteFrom("web_sessions")
    .where("person_id", "=", personId)
    .where("session_hash", "!=", sessionHash)
    .execute();
  await tx.updateTable("web_sessions").set({ second_factor: true }).where("session_hash", "=", sessionHash).execute();
}
