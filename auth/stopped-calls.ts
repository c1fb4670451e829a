import type { AssistantActor } from "../src/core/gate/actor.ts";
import { ASSISTANTS_ONLY_READ, ASSISTANTS_STOPPED } from "../src/core/workspace/workspaces.ts";
import { NOTICES_MISSED, type Notice, STORE_LOST } from "../src/store/store.ts";
import { CONNECTION_NARROWED, narrowedTo } from "./connection-permissions.ts";
import { CONNECTION_REVOKED } from "./connections.ts";
import { READ_SCOPE } from "./grantable-scopes.ts";
import { MEMBER_DEMOTED, MEMBER_REMOVED } from "./members/member.ts";

/**
 * Whose calls a notice stops, in every process: those of a revoked or narrowed connection, of a removed or demoted
 * member, of a workspace whose assistants were switched off or made read-only; and everybody's if notices may have been
 * missed. Null for other notices. Callers who still have access call again.
 */
export function stoppedBy({ topic, payload }: Notice): ((actor: AssistantActor) => boolean) | null {
  switch (topic) {
    case CONNECTION_REVOKED:
      return ({ connectionId }) => connectionId === payload;
    case MEMBER_REMOVED:
      return ({ memberId }) => memberId === payload;
    case MEMBER_DEMOTED:
      // A call that came in later already has the current permissions.
      return ({ memberId, role }) => memberId === payload && role === "admin";
    case CONNECTION_NARROWED: {
      // A call that came in later already has the remaining permissions only.
      const left = narrowedTo(payload);
      return ({ connectionId, scopes }) =>
        connectionId === left.connectionId && !scopes.every((one) => left.scopes.includes(one));
    }
    case ASSISTANTS_STOPPED:
      return ({ tenantId }) => tenantId === payload;
    case ASSISTANTS_ONLY_READ:
      return ({ tenantId, scopes }) => tenantId === payload && scopes.some((scope) => scope !== READ_SCOPE);
    case STORE_LOST:
    case NOTICES_MISSED:
      return () => true;
    default:
      return null;
  }
}

/** Why {@link stoppedBy} stops calls; when notices are missed, nobody's access was revoked. */
export function reasonOf({ topic }: Notice): "withdrawn" | "outage" {
  return topic === STORE_LOST || topic === NOTICES_MISSED ? "outage" : "withdrawn";
}
