import { insertAuditEntry } from "../../store/audit.ts";
import type { Transaction } from "../../store/store.ts";
import type { AuditDetails, AuditEntryRow } from "../../store/tables/audit.ts";
import type { AnyActor } from "./actor.ts";
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
}

/** Writes one audit entry in the transaction of the change it records (completions §1). */
export function recordAudit(tx: Transaction, core: Pick<Core, "clock" | "newId">, entry: Entry): Promise<void> {
  const { actor } = entry;
  return insertAuditEntry(tx, {
    tenant_id: actor.tenantId,
    entry_id: core.newId(),
    at: nowOf(core),
    ...authorOf(actor),
    operation: entry.operation,
    object_type: entry.objectType,
    object_id: entry.objectId,
    outcome: entry.outcome,
    request_id: entry.requestId,
    details: entry.details === undefined ? null : JSON.stringify(entry.details),
  });
}

/** Records an act that was carried out; writes nothing when it reported that nothing changed. */
export async function recordDone(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  act: Pick<Entry, "actor" | "operation" | "requestId">,
  changed: AuditedObject | null | undefined,
): Promise<void> {
  if (changed === null) return;
  const { type: objectType = null, id: objectId = null, outcome = "succeeded", details } = changed ?? {};
  const entry: Entry = { ...act, objectType, objectId, outcome };
  await recordAudit(tx, core, details === undefined ? entry : { ...entry, details });
}

/** The author columns of an entry, where it is written later than the call. */
type Author = Pick<AuditEntryRow, "actor_kind" | "actor_id" | "actor_name" | "connection_id">;

/** Who is named in an entry. */
export function authorOf(actor: AnyActor): Author {
  const author: Author = { actor_kind: actor.kind, actor_id: null, actor_name: null, connection_id: null };
  switch (actor.kind) {
    case "api_key":
      return { ...author, actor_id: actor.keyId };
    case "assistant":
      return { ...author, actor_id: actor.memberId, connection_id: actor.connectionId };
    case "person":
      return { ...author, actor_id: actor.memberId };
    case "provider":
      return { ...author, actor_id: actor.integrationId };
    case "system":
      return { ...author, actor_name: actor.name };
    case "operator":
      return author;
  }
}
