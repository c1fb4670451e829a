import type { MemberActor } from "../src/core/actor.ts";
import { ASSISTANTS_STOPPED } from "../src/core/workspace/workspaces.ts";
import { NOTICES_MISSED, type Notice } from "../src/store/store.ts";
import { CONNECTION_REVOKED } from "./connections.ts";
import { MEMBER_STOPPED } from "./members.ts";

/**
 * Whose calls a notice ends, in every process: those of a connection that was revoked, of a member who was removed or
 * demoted, of a workspace that lost its assistants; and of everybody where notices may have been missed. Null for other
 * notices. Whoever still has access calls again, and is let in with what they have now.
 */
export function stoppedBy({ topic, payload }: Notice): ((actor: MemberActor) => boolean) | null {
  switch (topic) {
    case CONNECTION_REVOKED:
      return ({ connectionId }) => connectionId === payload;
    case MEMBER_STOPPED:
      return ({ memberId }) => memberId === payload;
    case ASSISTANTS_STOPPED:
      return ({ tenantId }) => tenantId === payload;
    case NOTICES_MISSED:
      return () => true;
    default:
      return null;
  }
}
