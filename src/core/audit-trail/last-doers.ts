import type { Core } from "../gate/dependencies.ts";
import { entriesQuery, isAbout } from "./queries.ts";
import { type AuditEntry, asEntry } from "./read-audit-trail.ts";

/** The latest entry of an operation about each of some objects of a workspace, by the object's id. */
export async function lastDoers(
  core: Pick<Core, "store">,
  tenantId: string,
  operation: string,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, AuditEntry>> {
  if (objectIds.length === 0) return new Map();
  const rows = await core.store.read(tenantId, (tx) =>
    entriesQuery(tx, tenantId, { operation }).where(isAbout(objectIds)).orderBy("entry.at").execute(),
  );
  return new Map(rows.map((row) => [row.object_id ?? "", asEntry(row, [])]));
}
