import { z } from "zod";
import { ApiKeyName, listApiKeys } from "../../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../../auth/api-keys/revoke-api-key.ts";
import { operate } from "../../core/gate/operator.ts";
import { Uuid } from "../../core/shared/validation.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { WorkspaceOption } from "../inputs.ts";

const KeyName = ApiKeyName.register(flags, { value: "NAME", description: "what the key is for" });

export const apiKeyCommands: readonly Command[] = [
  command({
    noun: "api-key",
    verb: "create",
    summary: "make an API key; it is shown this once",
    note: "Keep the key now: it is not shown again.",
    input: z.strictObject({
      workspace: WorkspaceOption,
      name: KeyName,
      permission: z
        .enum(["admin", "readonly"], "must be admin or readonly")
        .register(flags, { value: "admin|readonly", description: "what the key may call" }),
    }),
    async run({ core }, { workspace, ...key }) {
      return operate(core, (await findWorkspace(core, workspace)).id, createApiKey, key);
    },
  }),
  command({
    noun: "api-key",
    verb: "list",
    summary: "the API keys of a workspace, revoked ones too",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      return listApiKeys(core, (await findWorkspace(core, workspace)).id);
    },
  }),
  command({
    noun: "api-key",
    verb: "revoke",
    summary: "stop an API key at once",
    input: z.strictObject({
      workspace: WorkspaceOption,
      id: Uuid.clone().register(flags, { value: "ID", description: "the key's id, from api-key list" }),
    }),
    async run({ core }, { workspace, id }) {
      return operate(core, (await findWorkspace(core, workspace)).id, revokeApiKey, { id });
    },
  }),
];
