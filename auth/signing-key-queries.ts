import { holdName } from "../src/store/named-lock.ts";
import type { Transaction } from "../src/store/store.ts";
import type { SigningKeyRow } from "../src/store/tables/identity.ts";

/** Lets one process at a time create a key, until its transaction ends. */
export const lockSigningKeys = (tx: Transaction) => holdName(tx, "signing keys");

/** All keys: the current one first, then replaced ones, the latest first. */
export function selectSigningKeys(tx: Transaction) {
  return tx
    .selectFrom("signing_keys")
    .selectAll()
    .orderBy("retired_at", (order) => order.desc().nullsFirst())
    .orderBy("created_at", "desc")
    .orderBy("kid")
    .execute();
}

/** Marks the current key as replaced. */
export async function retireSigningKeys(tx: Transaction, now: string): Promise<void> {
  await tx.updateTable("signing_keys").set({ retired_at: now }).where("retired_at", "is", null).execute();
}

export async function insertSigningKey(tx: Transaction, row: SigningKeyRow): Promise<void> {
  await tx.insertInto("signing_keys").values(row).execute();
}
