import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../src/core/gate/operation.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { Uuid } from "../../src/core/kernel/wire-types.ts";
import { ApiKeyName, ApiKeySchema, hashApiKey, KeyPermission, randomKey } from "./api-key.ts";
import { insertApiKey, selectApiKeys } from "./queries.ts";

/** Live keys of a workspace: they are listed on one page. */
const MOST_KEYS = 100;

/** A new key with its secret, which is shown only once. */
const CreatedApiKey = ApiKeySchema.extend({ key: z.string() });
export type CreatedApiKey = z.output<typeof CreatedApiKey>;

/**
 * Creates a key, whose `key` is shown exactly once (service.md §5.1). Throws `conflict` if the given id is in use, or there
 * are too many.
 */
export const createApiKey = operation({
  id: "createApiKey",
  summary: "Make an API key; it is shown this once",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "The key works at once.",
  input: z.strictObject({
    id: Uuid.optional(),
    name: ApiKeyName.describe("what the key is for"),
    permission: KeyPermission.describe("what the key may call"),
  }),
  output: CreatedApiKey,
  async run({ tx, actor, core, now, audit }, { id = core.newId(), name, permission }) {
    const live = (await selectApiKeys(tx, actor.tenantId)).filter((one) => one.revoked_at === null);
    if (live.length >= MOST_KEYS)
      throw new ServiceError("conflict", `This workspace has ${MOST_KEYS} keys. Revoke one that nobody uses first.`);
    const key = randomKey(actor.tenantId);
    const shown = { name, permission, created_at: now, last_used_at: null, revoked_at: null };
    const row = { tenant_id: actor.tenantId, key_id: id, key_hash: hashApiKey(key), ...shown };
    if (!(await insertApiKey(tx, row)))
      throw new ServiceError("conflict", "This key was made already; it is not shown again.");
    audit({ type: "api_key", id });
    return { id, ...shown, key };
  },
});
