import { listApiKeys } from "../../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../../auth/api-keys/revoke-api-key.ts";
import { type Command, command } from "../command.ts";

export const apiKeyCommands: readonly Command[] = [
  command("api-key create", createApiKey, {
    note: "Keep the key now: it is not shown again.",
  }),
  command("api-key list", listApiKeys),
  command("api-key revoke", revokeApiKey),
];
