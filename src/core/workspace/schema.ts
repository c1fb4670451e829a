import { z } from "zod";
import { SCOPES } from "../gate/actor.ts";
import { Instant, nameSchemas, PlainDate, Uuid } from "../kernel/wire-types.ts";

/** The answer of `get_context` (completions §3). */
export const Context = z.strictObject({
  tenant_id: Uuid,
  tenant_name: z.string(),
  timezone: z.string().describe("IANA name"),
  business_date: PlainDate.describe("Today in the workspace"),
  member: z.strictObject({
    id: Uuid,
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(["admin", "member"]),
  }),
  connection: z.strictObject({
    id: Uuid,
    client_name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    created_at: Instant,
    last_used_at: Instant.nullable(),
  }),
  callable_tools: z.array(z.string()).describe("Tools this connection may call now"),
  pages: z
    .strictObject({ base: z.string(), paths: z.array(z.string()) })
    .describe("For people: one of `paths` in `base`; lists take the filters of their tools as parameters"),
});

export type Context = z.output<typeof Context>;

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

nameSchemas({
  ApiContext,
  ApiKeyPermission: ApiContext.shape.api_key.shape.permission,
  OwnApiKey: ApiContext.shape.api_key,
});
