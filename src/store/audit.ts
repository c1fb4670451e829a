import type { Insertable } from "kysely";
import type { Transaction } from "./store.ts";
import type { AuditEntryRow } from "./tables/audit.ts";

/** Adds one entry to the audit trail; they are never changed, but for a person who is erased. */
export async function insertAuditEntry(tx: Transaction, entry: Insertable<AuditEntryRow>): Promise<void> {
  await tx.insertInto("audit_entries").values(entry).execute();
}
