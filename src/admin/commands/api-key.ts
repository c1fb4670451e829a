import { listApiKeys } from "../../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../../auth/api-keys/revoke-api-key.ts";
import { type Command, command } from "../command.ts";

export const apiKeyCommands: readonly Command[] = [
  command("api-key create", createApiKey, {
    summary: "make an API key; it is shown this once",
    note: "Keep the key now: it is not shown again.",
    options: { name: "what the key is for", permission: "what the key may call" },
  }),
  command("api-key list", listApiKeys, { summary: "the API keys of a workspace, revoked ones too" }),
  command("api-key revoke", revokeApiKey, {
    summary: "stop an API key at once",
    options: { id: "the key's id, from api-key list" },
  }),
];
