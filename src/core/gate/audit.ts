import { insertAuditEntry } from "../../store/audit.ts";
import type { Transaction } from "../../store/store.ts";
import type { AuditDetails } from "../../store/tables/audit.ts";
import type { AnyActor } from "./actor.ts";
import { authorOf, type KeptAuthor } from "./author.ts";
import { type Core, nowOf } from "./dependencies.ts";
import type { AuditedObject } from "./run-context.ts";

interface Entry {
  actor: AnyActor;
  /** An operation's id, or the verb of the page or command. */
  operation: string;
  objectType: string | null;
  objectId: string | null;
  requestId: string;
  outcome: "succeeded" | "refused" | "failed";
  /** More about the change, in short texts. */
  details?: AuditDetails;
  /** Named in place of the actor, the operation and the request. */
  keptAuthor?: KeptAuthor;
}

/** Writes one audit entry in the transaction of the change it records (completions §1). */
export function recordAudit(tx: Transaction, core: Pick<Core, "clock" | "newId">, entry: Entry): Promise<void> {
  const { actor } = entry;
  return insertAuditEntry(tx, {
    tenant_id: actor.tenantId,
    entry_id: core.newId(),
    at: nowOf(core),
    ...(entry.keptAuthor ?? { ...authorOf(actor), operation: entry.operation, request_id: entry.requestId }),
    object_type: entry.objectType,
    object_id: entry.objectId,
    outcome: entry.outcome,
    details: entry.details === undefined ? null : JSON.stringify(entry.details),
  });
}

/** What people are told of an act that changed nothing. */
export const UNCHANGED = "Nothing was changed: it was so already.";

/** Records an act that was carried out; writes nothing when it reported that nothing changed. */
export async function recordDone(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  act: Pick<Entry, "actor" | "operation" | "requestId">,
  changed: AuditedObject | null | undefined,
): Promise<void> {
  if (changed === null) return;
  const { type: objectType = null, id: objectId = null, ...more } = changed ?? {};
  await recordAudit(tx, core, { ...act, outcome: "succeeded", ...more, objectType, objectId });
}
