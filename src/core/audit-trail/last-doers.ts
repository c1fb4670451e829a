import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import { MOST_ENDED } from "../gate/ended-access.ts";
import { ADMINS_READ, operation } from "../gate/operation.ts";
import { Uuid } from "../kernel/wire-types.ts";
import { entriesQuery, isAbout } from "./queries.ts";
import { type AuditEntry, asEntry } from "./read-audit-trail.ts";

/** The latest entry about each of some objects, by the object's id. */
export type LastDoers = ReadonlyMap<string, AuditEntry>;

/** The latest entry of an operation about each of some objects of a workspace. */
export async function lastDoers(
  tx: Transaction,
  tenantId: string,
  { operation: name, objectIds }: { operation: string; objectIds: readonly string[] },
): Promise<LastDoers> {
  if (objectIds.length === 0) return new Map();
  const rows = await entriesQuery(tx, tenantId, { operation: name })
    .where(isAbout(objectIds))
    .orderBy("entry.at")
    .execute();
  return new Map(rows.map((row) => [row.object_id ?? "", asEntry(row, [])]));
}

/** The same for admins. */
export const findLastDoers = operation({
  id: "findLastDoers",
  summary: "Find who last did something to some objects",
  ...ADMINS_READ,
  input: z.strictObject({ operation: z.string().max(100), objectIds: z.array(Uuid).max(MOST_ENDED) }),
  output: z.custom<LastDoers>(),
  run: ({ tx, actor }, asked) => lastDoers(tx, actor.tenantId, asked),
});
