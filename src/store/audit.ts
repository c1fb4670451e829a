import type { Insertable } from "kysely";
import type { Transaction } from "./store.ts";
import type { AuditEntryRow } from "./tables/audit.ts";

/** Rows of a statement, whose parameters PostgreSQL counts with 16 bits. */
const ROWS = 2_000;

/** Adds entries to the audit trail; they are never changed, but for a person who is erased. */
export async function insertAuditEntries(
  tx: Transaction,
  entries: readonly Insertable<AuditEntryRow>[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += ROWS)
    await tx
      .insertInto("audit_entries")
      .values(entries.slice(start, start + ROWS))
      .execute();
}
