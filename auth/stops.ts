import type { AssistantActor } from "../src/core/gate/actor.ts";
import { ASSISTANTS_ONLY_READ, ASSISTANTS_STOPPED } from "../src/core/workspace/workspaces.ts";
import { NOTICES_MISSED, type Notice, STORE_LOST } from "../src/store/store.ts";
import { CONNECTION_NARROWED, narrowedTo } from "./connection-permissions.ts";
import { CONNECTION_REVOKED } from "./connections.ts";
import { MEMBER_DEMOTED, MEMBER_REMOVED } from "./members/member.ts";
import { READ_SCOPE } from "./scopes.ts";

/**
 * Whose calls a notice ends, in every process: those of a connection that was revoked or has less now, of a member who was
 * removed or demoted, of a workspace that lost its assistants or lets them only read; and of everybody where notices may be missed or may have been. Null for other
 * notices. A caller that still has access calls again, and gets in with its current permissions.
 */
export function stoppedBy({ topic, payload }: Notice): ((actor: AssistantActor) => boolean) | null {
  switch (topic) {
    case CONNECTION_REVOKED:
      return ({ connectionId }) => connectionId === payload;
    case MEMBER_REMOVED:
      return ({ memberId }) => memberId === payload;
    case MEMBER_DEMOTED:
      // A call that came in since is let in as what they are now.
      return ({ memberId, role }) => memberId === payload && role === "admin";
    case CONNECTION_NARROWED: {
      // The same: one that came in since has no more than what is left.
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

/** Why {@link stoppedBy} ends calls: nobody's access was taken where it is only that nothing is heard. */
export function reasonOf({ topic }: Notice): "withdrawn" | "outage" {
  return topic === STORE_LOST || topic === NOTICES_MISSED ? "outage" : "withdrawn";
}
