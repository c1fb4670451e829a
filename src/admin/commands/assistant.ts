import { allowAssistantAgain, listBlocked } from "../../../auth/external-issuer/blocked-connections.ts";
import { listConnections } from "../../../auth/list-connections.ts";
import { revokeAssistants } from "../../../auth/revoke-assistants.ts";
import { cleanText } from "../../core/kernel/text.ts";
import { type Command, command } from "../command.ts";

export const assistantCommands: readonly Command[] = [
  command("assistant list", listConnections, {
    async run({ operate }) {
      const connections = await operate(listConnections, {});
      return connections.map(({ id, person: { email }, clientName, scopes, lastUsedAt, revokedAt }) => ({
        ...{ id, email, assistant: cleanText(clientName), scopes: scopes.join(" ") },
        ...{ last_used_at: lastUsedAt, revoked_at: revokedAt },
      }));
    },
  }),
  command("assistant revoke", revokeAssistants, {
    options: { all: "" },
    note: "A person can approve an assistant again. To keep all out: workspace set --assistant-access off.",
  }),
  command("assistant blocked", listBlocked),
  command("assistant allow", allowAssistantAgain),
];
