import { insertAuditEntries } from "../../store/audit.ts";
import type { Transaction } from "../../store/store.ts";
import type { AuditDetails } from "../../store/tables/audit.ts";
import type { AnyActor } from "./actor.ts";
import { authorOf, type KeptAuthor } from "./author.ts";
import { nowOf, type Stamping } from "./dependencies.ts";
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
export function recordAudit(tx: Transaction, core: Stamping, entry: Entry) {
  return recordAll(tx, core, [entry]);
}

function recordAll(tx: Transaction, core: Stamping, entries: readonly Entry[]) {
  const rows = entries.map(({ actor, operation, requestId, objectType, objectId, outcome, details, keptAuthor }) => ({
    tenant_id: actor.tenantId,
    entry_id: core.newId(),
    at: nowOf(core),
    ...(keptAuthor ?? { ...authorOf(actor), operation, request_id: requestId }),
    object_type: objectType,
    object_id: objectId,
    outcome,
    details: details === undefined ? null : JSON.stringify(details),
  }));
  return insertAuditEntries(tx, rows);
}

/** The detail `changed`, of settings without secrets: "timezone Europe/Berlin, api_access true". */
export function changedSettings(before: object, after: object): AuditDetails {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => value !== undefined && value !== old.get(name));
  if (changed.length === 0) return {};
  return { changed: changed.map(([name, value]) => `${name} ${value ?? "none"}`).join(", ") };
}

/** What people are told of an act that changed nothing. */
export const UNCHANGED = "Nothing was changed: it was so already.";

/** Records an act that was carried out, on each object that it changed; writes nothing when it reported that nothing changed. */
export async function recordDone(
  tx: Transaction,
  core: Stamping,
  act: Pick<Entry, "actor" | "operation" | "requestId">,
  changed: AuditedObject | readonly AuditedObject[] | null | undefined,
) {
  if (changed === null) return;
  const objects: readonly Partial<AuditedObject>[] = [changed ?? {}].flat();
  const entries = objects.map(({ type: objectType = null, id: objectId = null, ...more }) => {
    return { ...act, outcome: "succeeded" as const, ...more, objectType, objectId };
  });
  await recordAll(tx, core, entries);
}
