import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../src/core/gate/operation.ts";
import { orNotFound } from "../../src/core/kernel/error.ts";
import { Uuid } from "../../src/core/kernel/wire-types.ts";
import { ApiKeySchema } from "./api-key.ts";
import { tombstoneApiKey } from "./queries.ts";

/** Revokes a key at once; a key that is revoked already is left unchanged. Throws `not_found`. */
export const revokeApiKey = operation({
  id: "revokeApiKey",
  summary: "Stop an API key at once",
  ...SETTINGS_CHANGE,
  sideEffects: "The key's next call is refused.",
  input: z.strictObject({ id: Uuid.describe("the key's id, from api-key list") }),
  output: ApiKeySchema,
  async run({ tx, actor, now, audit }, { id }) {
    const revoked = orNotFound(await tombstoneApiKey(tx, { tenantId: actor.tenantId, keyId: id, now }), "API key");
    audit(revoked.wasRevoked ? null : { type: "api_key", id });
    return revoked.key;
  },
});
