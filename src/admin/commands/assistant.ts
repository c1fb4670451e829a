import { allowAssistantAgain, listBlocked } from "../../../auth/external-issuer/blocked-connections.ts";
import { listConnections } from "../../../auth/list-connections.ts";
import { revokeAssistants } from "../../../auth/revoke-assistants.ts";
import { cleanText } from "../../core/kernel/text.ts";
import { type Command, command } from "../command.ts";

export const assistantCommands: readonly Command[] = [
  command("assistant list", listConnections, {
    summary: "the assistant connections of a workspace, revoked ones last",
    async run({ operate }) {
      const connections = await operate(listConnections, {});
      return connections.map(({ id, person: { email }, clientName, scopes, lastUsedAt, revokedAt }) => ({
        ...{ id, email, assistant: cleanText(clientName), scopes: scopes.join(" ") },
        ...{ last_used_at: lastUsedAt, revoked_at: revokedAt },
      }));
    },
  }),
  command("assistant revoke", revokeAssistants, {
    summary: "end one assistant connection, or all of a person or the workspace, and stop what they are at",
    options: {
      connection: "one connection, from assistant list",
      email: "all connections of this member",
      all: ["", "all connections of the workspace"],
    },
    note: "A person can approve an assistant again. To keep all out: workspace set --assistant-access off.",
  }),
  command("assistant blocked", listBlocked, {
    summary: "the connections through an external issuer that were revoked and still stop their tokens",
  }),
  command("assistant allow", allowAssistantAgain, {
    summary: "let the tokens of a revoked connection in again, as a new connection from their next use",
    options: { id: "the revoked connection" },
  }),
];
