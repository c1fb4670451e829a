import { z } from "zod";
import { allowAssistantAgain, listBlocked } from "../../../auth/external-issuer/blocked-connections.ts";
import { operate } from "../../core/gate/operator.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { WorkspaceOption } from "../inputs.ts";

const Id = z.guid("must be an id from assistant blocked").toLowerCase();

export const assistantCommands: readonly Command[] = [
  command({
    noun: "assistant",
    verb: "blocked",
    summary: "the connections through an external issuer that were revoked and still stop their tokens",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      return listBlocked(core, (await findWorkspace(core, workspace)).id);
    },
  }),
  command({
    noun: "assistant",
    verb: "allow",
    summary: "let the tokens of a revoked connection in again, as a new connection from their next use",
    input: z.strictObject({
      workspace: WorkspaceOption,
      id: Id.clone().register(flags, { value: "ID", description: "the revoked connection" }),
    }),
    async run({ core }, { workspace, id }) {
      return operate(core, (await findWorkspace(core, workspace)).id, allowAssistantAgain, { id });
    },
  }),
];
