import type { NotNull } from "kysely";
import type { Transaction } from "../../src/store/store.ts";
import type { SecondFactorRow } from "../../src/store/tables/identity.ts";

/** A person's second factor; locked on request. For a system transaction. */
export function selectFactor(tx: Transaction, personId: string, hold?: "locked") {
  const found = tx
    .selectFrom("second_factors")
    .select(["secret", "last_step", "confirmed_at"])
    .where("person_id", "=", personId)
    .where("confirmed_at", "is not", null)
    .$narrowType<{ confirmed_at: NotNull }>();
  return (hold === undefined ? found : found.forUpdate()).executeTakeFirst();
}

/** Stores a second factor that its first code proved; false if the person has one already. */
export async function insertFactor(tx: Transaction, row: SecondFactorRow): Promise<boolean> {
  const { person_id: _, ...factor } = row;
  const { numInsertedOrUpdatedRows: stored } = await tx
    .insertInto("second_factors")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("person_id").doUpdateSet(factor).where("second_factors.confirmed_at", "is", null),
    )
    .executeTakeFirst();
  return stored === 1n;
}

/** Notes the time step of the last code that was used. */
export async function updateLastStep(tx: Transaction, personId: string, step: bigint): Promise<void> {
  const used = { last_step: String(step) };
  await tx.updateTable("second_factors").set(used).where("person_id", "=", personId).execute();
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
    .where((column) => column.and({ person_id: personId, code_hash: codeHash }))
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
