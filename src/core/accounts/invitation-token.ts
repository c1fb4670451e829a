import type { Core } from "../gate/dependencies.ts";
import { mailedToken } from "../gate/mailed-token.ts";

/** The token of an invitation. */
export function invitationToken(core: Pick<Core, "secrets">, invitationId: string) {
  return mailedToken(core, "invitation", invitationId);
}

/** The page that an invitation's mail leads to. */
export const INVITATION_PATH = "/invitations";
