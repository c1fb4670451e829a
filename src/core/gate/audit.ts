import { isDeepStrictEqual } from "node:util";
import { insertAuditEntries } from "../../store/audit.ts";
import type { Transaction } from "../../store/store.ts";
import type { AuditDetails } from "../../store/tables/audit.ts";
import type { AnyActor } from "./actor.ts";
import { authorOf } from "./author.ts";
import { nowOf, type Stamping } from "./dependencies.ts";
import type { AuditedChange, AuditedObject } from "./run-context.ts";

/** The detail `changed`, of settings without secrets: "timezone UTC → Europe/Berlin, api access false → true"; of a list how many. */
export function changedSettings(before: object, after: object): AuditDetails {
  const old = new Map<string, unknown>(Object.entries(before));
  const shown = (value: unknown) => `${(Array.isArray(value) ? value.length : value) ?? "none"}`;
  const changed = Object.entries(after).flatMap(([name, now]) => {
    const was = old.get(name) ?? null;
    return now === undefined || isDeepStrictEqual(now, was)
      ? []
      : `${name.replaceAll("_", " ")} ${shown(was)} → ${shown(now)}`;
  });
  return changed.length === 0 ? {} : { changed: changed.join(", ") };
}

/** The detail `changed`, of an act that takes back that something is dealt with. */
export const OPEN_AGAIN: AuditDetails = { changed: "open again" };

/** What people are told of an act that changed nothing. */
export const UNCHANGED = "Nothing was changed: it was so already.";

/** An operation's id, or the verb of the page or command; who carried it out, in which request. */
interface Act {
  readonly actor: AnyActor;
  readonly operation: string;
  readonly requestId: string;
}

/** What an act says that it changed, however often it does: each object has its entry, and null leaves none of its own. */
export function saidChanges() {
  let changed: readonly AuditedObject[] | null | undefined;
  return {
    audit(what: AuditedChange) {
      changed = what === null ? (changed ?? null) : [changed ?? [], what].flat();
    },
    audited: () => changed,
  };
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
