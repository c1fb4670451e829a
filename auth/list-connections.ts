import { z } from "zod";
import { lastDoers } from "../src/core/audit-trail/last-doers.ts";
import type { AuditEntry } from "../src/core/audit-trail/read-audit-trail.ts";
import { operation, type Scope, SETTINGS_READ } from "../src/core/gate/operation.ts";
import { roleOf } from "../src/store/identity/authority.ts";
import { anyOf } from "../src/store/recordset.ts";
import { selectConnections } from "./connection-queries.ts";
import { selectBlocked } from "./external-issuer/connection-queries.ts";

/** An assistant connection (completions §1) as shown on the connections page. Instants are ISO 8601 UTC. */
export interface AssistantConnection {
  id: string;
  /** The member who approved it. */
  person: { email: string; name: string | null };
  clientName: string;
  /** The address at which the client publishes its metadata, if any: the only fact about it that was verified. */
  publishedBy: string | null;
  /** The client's website as it states it. */
  clientUri: string | null;
  /** The redirect host of the approval; null if it is unknown. */
  answeredAtHost: string | null;
  scopes: readonly Scope[];
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** Email of the person who revoked it; null for an operator, the client or the service itself, and for a live one. */
  revokedBy: string | null;
  /** The entry of the audit trail about its end, if it has ended. */
  ender: AuditEntry | undefined;
  /** Revoked, and its external issuer's tokens are refused until an admin allows them again; told to admins only. */
  isBlocked: boolean;
}

/** The connections a caller may see, the latest ended ones last: an admin, or an operator, those of the whole workspace, else their own. */
export const listConnections = operation({
  id: "listAssistantConnections",
  summary: "The assistant connections of a workspace, revoked ones last",
  ...SETTINGS_READ,
  input: z.strictObject({}),
  output: z.array(z.custom<AssistantConnection>()),
  async run({ tx, actor }) {
    const { tenantId } = actor;
    const seesAll = actor.kind === "operator" || (await roleOf(tx, actor)) === "admin";
    const rows = await selectConnections(tx, tenantId, seesAll ? null : actor.memberId);
    const ended = rows.filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id);
    const enders = await lastDoers(tx, tenantId, { operation: "revokeAssistantConnection", objectIds: ended });
    const blocks = selectBlocked(tx, tenantId).where("connection.connection_id", "=", anyOf(ended, "uuid"));
    const blocked = new Set(seesAll ? (await blocks.execute()).map(({ id }) => id) : []);
    return rows.map(({ email, name, clientId, ...row }) => ({
      ...row,
      person: { email, name },
      publishedBy: publisherOf(clientId),
      ender: enders.get(row.id),
      isBlocked: blocked.has(row.id),
    }));
  },
});

/** The host of a client id that is the address of a metadata document. */
function publisherOf(clientId: string) {
  const url = URL.parse(clientId);
  return url?.protocol === "https:" ? url.host : null;
}
