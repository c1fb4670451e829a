import { z } from "zod";
import type { AuditEntryRow } from "../../store/tables/audit.ts";
import type { AnyActor } from "./actor.ts";

/** Who is named in an audit entry that is written later than the call, kept as JSON with what the call reserved. */
export const KeptAuthor = z.strictObject({
  actor_kind: z.enum(["api_key", "assistant", "person", "operator", "system", "provider"]),
  actor_id: z.string().nullable(),
  actor_name: z.string().nullable(),
  connection_id: z.string().nullable(),
  operation: z.string(),
  request_id: z.string(),
});
export type KeptAuthor = z.output<typeof KeptAuthor>;

/** The author columns of an entry. */
type Author = Pick<AuditEntryRow, "actor_kind" | "actor_id" | "actor_name" | "connection_id">;

/** Who is named in an entry. */
export function authorOf(actor: AnyActor): Author {
  const author: Author = { actor_kind: actor.kind, actor_id: null, actor_name: null, connection_id: null };
  switch (actor.kind) {
    case "api_key":
      return { ...author, actor_id: actor.keyId };
    case "assistant":
      return { ...author, actor_id: actor.memberId, connection_id: actor.connectionId };
    case "person":
      return { ...author, actor_id: actor.memberId };
    case "provider":
      return { ...author, actor_id: actor.integrationId };
    case "system":
      return { ...author, actor_name: actor.name };
    case "operator":
      return { ...author, actor_name: actor.name ?? null };
  }
}
