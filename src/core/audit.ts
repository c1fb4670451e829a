import { insertAuditEntry } from "../store/audit.ts";
import type { Transaction } from "../store/store.ts";
import type { AuditEntryRow } from "../store/tables.ts";
import type { Actor } from "./actor.ts";
import { type Core, nowOf } from "./core.ts";

/** Someone at the operators' terminal or the service itself; not a caller of any operation. */
export interface OperatorActor {
  readonly kind: "operator";
  readonly tenantId: string;
}

/** A member on the service's own pages, signed in with a browser. */
export interface PageActor {
  readonly kind: "page";
  readonly tenantId: string;
  readonly memberId: string;
}

interface Entry {
  actor: Actor | OperatorActor | PageActor;
  /** An operation's id, or the verb of the page or command. */
  operation: string;
  objectType: string | null;
  objectId: string | null;
  requestId: string;
  outcome: "succeeded" | "refused" | "failed";
}

/** Writes one audit entry in the transaction of what it tells of (completions §1). */
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
  });
}

/** Who is named in an entry, where it is written later than the call. */
export function authorOf(actor: Entry["actor"]): Pick<AuditEntryRow, "actor_kind" | "actor_id" | "connection_id"> {
  return {
    actor_kind: actor.kind === "page" ? "member" : actor.kind,
    actor_id: actorId(actor),
    connection_id: actor.kind === "member" ? actor.connectionId : null,
  };
}

function actorId(actor: Entry["actor"]): string | null {
  switch (actor.kind) {
    case "api_key":
      return actor.keyId;
    case "member":
    case "page":
      return actor.memberId;
    case "operator":
      return null;
  }
}
