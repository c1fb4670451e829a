import { sql } from "kysely";
import type { Transaction } from "../src/store/store.ts";
import type { SigningKeyRow } from "../src/store/tables.ts";

/** Lets one process at a time make the first key, until its transaction ends. */
export async function lockSigningKeys(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('signing_keys'))`.execute(tx);
}

/** The keys tokens are signed and checked with, newest first. */
export function selectSigningKeys(tx: Transaction) {
  return tx
    .selectFrom("signing_keys")
    .select(["kid", "private_jwk"])
    .where("retired_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("kid")
    .execute();
}

export async function insertSigningKey(tx: Transaction, row: SigningKeyRow): Promise<void> {
  await tx.insertInto("signing_keys").values(row).execute();
}
