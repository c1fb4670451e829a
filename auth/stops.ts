import type { MemberActor } from "../src/core/actor.ts";
import { ASSISTANTS_STOPPED } from "../src/core/workspace/workspaces.ts";
import { NOTICES_MISSED, type Notice } from "../src/store/store.ts";
import { CONNECTION_REVOKED } from "./connections.ts";
import { MEMBER_DEMOTED, MEMBER_REMOVED } from "./members.ts";

/**
 * Whose calls a notice ends, in every process: those of a connection that was revoked, of a member who was removed or
 * demoted, of a workspace that lost its assistants; and of everybody where notices may have been missed. Null for other
 * notices. Whoever still has access calls again, and is let in with what they have now.
 */
export function stoppedBy({ topic, payload }: Notice): ((actor: MemberActor) => boolean) | null {
  switch (topic) {
    case CONNECTION_REVOKED:
      return ({ connectionId }) => connectionId === payload;
    case MEMBER_REMOVED:
      return ({ memberId }) => memberId === payload;
    case MEMBER_DEMOTED:
      // A call that came in since is let in as what they are now.
      return ({ memberId, role }) => memberId === payload && role === "admin";
    case ASSISTANTS_STOPPED:
      return ({ tenantId }) => tenantId === payload;
    case NOTICES_MISSED:
      return () => true;
    default:
      return null;
  }
}
