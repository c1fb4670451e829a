import { z } from "zod";
import { allowAssistantAgain, listBlocked } from "../../../auth/external-issuer/blocked-connections.ts";
import { listConnections } from "../../../auth/list-connections.ts";
import { Email } from "../../../auth/members/member.ts";
import { revokeAssistants } from "../../../auth/revoke-assistants.ts";
import { cleanText } from "../../core/kernel/text.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { type Command, option, toggle, workspaceCommand } from "../command.ts";

const Id = z.guid("must be an id from assistant blocked").toLowerCase();

export const assistantCommands: readonly Command[] = [
  workspaceCommand("assistant list", {
    summary: "the assistant connections of a workspace, revoked ones last",
    async run({ operate }) {
      const connections = await operate(listConnections, {});
      return connections.map(({ id, person: { email }, clientName, scopes, lastUsedAt, revokedAt }) => ({
        ...{ id, email, assistant: cleanText(clientName), scopes: scopes.join(" ") },
        ...{ last_used_at: lastUsedAt, revoked_at: revokedAt },
      }));
    },
  }),
  workspaceCommand("assistant revoke", {
    summary: "end one assistant connection, or all of a person or the workspace, and stop what they are at",
    input: z.strictObject({
      connection: option(Uuid.optional(), "ID", "one connection, from assistant list"),
      email: option(Email.optional(), "EMAIL", "all connections of this member"),
      all: toggle("all connections of the workspace"),
    }),
    run: ({ operate }, which) => operate(revokeAssistants, which),
    note: "A person can approve an assistant again. To keep all out: workspace set --assistant-access off.",
  }),
  workspaceCommand("assistant blocked", {
    summary: "the connections through an external issuer that were revoked and still stop their tokens",
    run: ({ operate }) => operate(listBlocked, {}),
  }),
  workspaceCommand("assistant allow", {
    summary: "let the tokens of a revoked connection in again, as a new connection from their next use",
    input: z.strictObject({ id: option(Id, "ID", "the revoked connection") }),
    run: ({ operate }, { id }) => operate(allowAssistantAgain, { id }),
  }),
];
