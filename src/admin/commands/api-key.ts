import { z } from "zod";
import { ApiKeyName, KeyPermission, listApiKeys } from "../../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../../auth/api-keys/revoke-api-key.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { type Command, option, workspaceCommand } from "../command.ts";

const KeyName = option(ApiKeyName, "NAME", "what the key is for");

export const apiKeyCommands: readonly Command[] = [
  workspaceCommand("api-key create", {
    summary: "make an API key; it is shown this once",
    note: "Keep the key now: it is not shown again.",
    input: z.strictObject({
      name: KeyName,
      permission: option(KeyPermission, "admin|readonly", "what the key may call"),
    }),
    run: ({ operate }, key) => operate(createApiKey, key),
  }),
  workspaceCommand("api-key list", {
    summary: "the API keys of a workspace, revoked ones too",
    run: ({ operate }) => operate(listApiKeys, {}),
  }),
  workspaceCommand("api-key revoke", {
    summary: "stop an API key at once",
    input: z.strictObject({ id: option(Uuid, "ID", "the key's id, from api-key list") }),
    run: ({ operate }, { id }) => operate(revokeApiKey, { id }),
  }),
];
