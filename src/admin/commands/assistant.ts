import { z } from "zod";
import { allowAssistantAgain, listBlocked } from "../../../auth/external-issuer/blocked-connections.ts";
import { type Command, option, workspaceCommand } from "../command.ts";

const Id = z.guid("must be an id from assistant blocked").toLowerCase();

export const assistantCommands: readonly Command[] = [
  workspaceCommand("assistant blocked", {
    summary: "the connections through an external issuer that were revoked and still stop their tokens",
    run: ({ core, tenantId }) => listBlocked(core, tenantId),
  }),
  workspaceCommand("assistant allow", {
    summary: "let the tokens of a revoked connection in again, as a new connection from their next use",
    input: z.strictObject({ id: option(Id, "ID", "the revoked connection") }),
    run: ({ operate }, { id }) => operate(allowAssistantAgain, { id }),
  }),
];
