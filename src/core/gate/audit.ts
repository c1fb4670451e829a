import { insertAuditEntries } from "../../store/audit.ts";
import type { Transaction } from "../../store/store.ts";
import type { AuditDetails } from "../../store/tables/audit.ts";
import type { AnyActor } from "./actor.ts";
import { authorOf } from "./author.ts";
import { nowOf, type Stamping } from "./dependencies.ts";
import type { AuditedChange, AuditedObject } from "./run-context.ts";

/** The detail `changed`, of settings without secrets: "timezone Europe/Berlin, api_access true". */
export function changedSettings(before: object, after: object): AuditDetails {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => value !== undefined && value !== old.get(name));
  if (changed.length === 0) return {};
  return { changed: changed.map(([name, value]) => `${name} ${value ?? "none"}`).join(", ") };
}

/** What people are told of an act that changed nothing. */
export const UNCHANGED = "Nothing was changed: it was so already.";

/** An operation's id, or the verb of the page or command; who carried it out, in which request. */
interface Act {
  readonly actor: AnyActor;
  readonly operation: string;
  readonly requestId: string;
}

/**
 * Records an act that was carried out in its transaction, on each object that it changed (completions §1); writes nothing when it
 * reported that nothing changed.
 */
export async function recordDone(
  tx: Transaction,
  core: Stamping,
  { actor, operation, requestId }: Act,
  changed: AuditedChange | undefined,
) {
  if (changed === null) return;
  const objects: readonly Partial<AuditedObject>[] = [changed ?? {}].flat();
  const rows = objects.map(({ type = null, id = null, outcome = "succeeded", details, keptAuthor }) => ({
    tenant_id: actor.tenantId,
    entry_id: core.newId(),
    at: nowOf(core),
    ...(keptAuthor ?? { ...authorOf(actor), operation, request_id: requestId }),
    object_type: type,
    object_id: id,
    outcome,
    details: details === undefined ? null : JSON.stringify(details),
  }));
  await insertAuditEntries(tx, rows);
}
