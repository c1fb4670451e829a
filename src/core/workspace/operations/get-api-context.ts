import { z } from "zod";
import { keyRevoked } from "../../gate/ended-access.ts";
import { operation } from "../../gate/operation.ts";
import { apiContextOf } from "../context-queries.ts";
import { ApiContext } from "../schema.ts";

/** Whose key this is and what it may do (service.md §4.3). */
export const getApiContext = operation({
  id: "getApiContext",
  tag: "Workspace",
  summary: "Who this key is",
  description: "The workspace and the key itself: a check of connectivity and permission.",
  callers: ["api_key"],
  permission: "readonly",
  scope: null,
  sideEffects: "None.",
  input: z.strictObject({}),
  output: ApiContext,
  async run({ actor, tx }) {
    const found = await apiContextOf(tx, actor);
    if (found === undefined) throw keyRevoked();
    const { tenant_name: tenantName, last_used_at: lastUsedAt, ...key } = found;
    return {
      tenant_id: actor.tenantId,
      tenant_name: tenantName,
      api_key: {
        id: actor.keyId,
        ...key,
        // This very call has moved the stored one already.
        last_used_at: actor.lastUsedAt === undefined ? lastUsedAt : actor.lastUsedAt,
      },
    };
  },
});
