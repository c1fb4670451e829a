import { z } from "zod";
import { ROUTE_CALLERS } from "../actor.ts";
import { ServiceError } from "../error.ts";
import { operation } from "../operation.ts";
import { Instant, Uuid } from "../validation.ts";
import { apiContextOf } from "./api-context-queries.ts";

/** service.md §2.1. */
export const ApiContext = z.strictObject({
  tenant_id: Uuid.describe("The tenant the key belongs to"),
  tenant_name: z.string(),
  api_key: z.strictObject({
    id: Uuid,
    name: z.string().describe("Name given at creation"),
    permission: z.enum(["admin", "readonly"]),
    created_at: Instant,
    last_used_at: Instant.nullable().describe("Previous use of this key"),
  }),
});

/** Whose key this is and what it may do (service.md §4.3). */
export const getApiContext = operation({
  id: "getApiContext",
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: null,
  sideEffects: "None.",
  input: z.strictObject({}),
  output: ApiContext,
  async run({ actor, tx }) {
    if (actor.kind !== "api_key") throw new ServiceError("permission_denied", "Only API keys have this context.");
    const found = await apiContextOf(tx, actor);
    if (found === undefined) throw new ServiceError("revoked_credentials", "This API key was revoked.");
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
