import { parseScopes, SCOPES, type Scope } from "../src/core/gate/actor.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import { stopping } from "../src/core/gate/stopping.ts";
import { orNotFound, ServiceError } from "../src/core/kernel/error.ts";
import type { Transaction } from "../src/store/store.ts";
import { rewriteGrantScopes } from "./authorization-server/grant-scopes.ts";
import { extendAssistantConnection, narrowAssistantConnection } from "./connection-acts.ts";
import { selectPermissionsFor, updatePermissions } from "./connection-queries.ts";
import { grantable, READ_SCOPE } from "./grantable-scopes.ts";
import type { SignedIn } from "./sessions.ts";

/** Topic of the notice that a connection lost permissions; the payload has its id and those left. */
export const CONNECTION_NARROWED = "connection_narrowed";

/** The payload of that notice. */
export function narrowedTo(payload: string): { connectionId: string; scopes: Scope[] } {
  const [connectionId = "", scopes = ""] = payload.split(/ (.*)/s);
  return { connectionId, scopes: parseScopes(scopes) };
}

/** A connection's permissions, and which of them the viewer may change. */
export interface ConnectionPermissions {
  tenantId: string;
  clientName: string;
  /** Email of the person who approved it. */
  owner: string;
  isOwn: boolean;
  scopes: readonly Scope[];
  /** Write scopes the viewer could add; empty for another person's connection. */
  giveable: Scope[];
  /** Write scopes the viewer could remove. */
  takeable: Scope[];
}

/** Throws `not_found` for a connection that the viewer may not see, or that has ended. */
export async function readPermissions(
  core: Pick<Core, "store">,
  who: SignedIn,
  connectionId: string,
): Promise<ConnectionPermissions> {
  const found = await core.store.directory((tx) => find(tx, who, connectionId));
  return orNotFound(found?.standing, "connection");
}

interface Change {
  who: SignedIn;
  connectionId: string;
  requestId: string;
  give: readonly Scope[];
  take: readonly Scope[];
}

/**
 * The person who approved a connection may add and remove its permissions; an admin may remove them from any connection
 * (completions §11). Takes effect on the connection's next call, without a new token; calls under way that need a
 * removed permission are stopped. Throws `not_found`, and `permission_denied` for more than the person may grant.
 */
export async function changePermissions(core: Core, change: Change): Promise<void> {
  const { who, connectionId } = change;
  const before = await readPermissions(core, who, connectionId);
  const taken = change.take.filter((scope) => before.takeable.includes(scope));
  const left = before.scopes.filter((scope) => !taken.includes(scope));
  const tell = async (): Promise<void> => {
    if (taken.length > 0)
      await core.store.publish({
        topic: CONNECTION_NARROWED,
        payload: [connectionId, ...left, ...change.give].join(" "),
      });
  };
  await stopping(tell, () => core.store.directory((tx) => apply(core, tx, change), before.tenantId));
}

async function apply(core: Core, tx: Transaction, { who, connectionId, requestId, ...change }: Change): Promise<void> {
  const found = orNotFound(await find(tx, who, connectionId, "locked"), "connection");
  const { standing, row } = found;
  const give = change.give.filter((scope) => scope !== READ_SCOPE && !standing.scopes.includes(scope));
  const take = change.take.filter((scope) => standing.takeable.includes(scope));
  if (give.some((scope) => !standing.giveable.includes(scope)))
    throw new ServiceError("permission_denied", "You cannot give this assistant that permission.");
  if (give.length === 0 && take.length === 0) return;
  const withChange = (before: readonly Scope[], more: readonly Scope[], less: readonly Scope[]): Scope[] =>
    SCOPES.filter((scope) => (before.includes(scope) || more.includes(scope)) && !less.includes(scope));
  const scopes = withChange(standing.scopes, give, take);
  await updatePermissions(
    tx,
    { tenantId: row.tenant_id, connectionId },
    {
      scopes,
      given_scopes: row.is_external ? [] : withChange(row.given_scopes, give, take),
      withheld_scopes: withChange(row.withheld_scopes, take, give),
    },
  );
  if (!row.is_external) await rewriteGrantScopes(tx, connectionId, { scopes, given: give });
  const person = { kind: "person", tenantId: row.tenant_id, memberId: row.viewer_id } as const;
  const leading = { tx, core, requestId };
  if (take.length > 0)
    await narrowAssistantConnection.within(leading, person, { connectionId, scopes: take.join(" ") });
  if (give.length > 0)
    await extendAssistantConnection.within(leading, person, { connectionId, scopes: give.join(" "), isNews: true });
}

/** A connection and its viewer's role; null unless it is live, and theirs or they are an admin. */
async function find(tx: Transaction, who: SignedIn, connectionId: string, hold?: "locked") {
  const row = await selectPermissionsFor(tx, connectionId, who, hold);
  if (row === undefined || row.revoked_at !== null) return null;
  const isOwn = row.owner_id === row.viewer_id;
  if (!isOwn && row.role !== "admin") return null;
  const { scopes } = row;
  const standing: ConnectionPermissions = {
    tenantId: row.tenant_id,
    clientName: row.client_name,
    owner: row.email,
    isOwn,
    scopes,
    giveable: isOwn ? grantable(row).filter((scope) => !scopes.includes(scope) && mayReturn(scope, row)) : [],
    takeable: scopes.filter((scope) => scope !== READ_SCOPE),
  };
  return { standing, row };
}

/** An external issuer decides the scopes of its tokens: only those that were removed here can be added here. */
function mayReturn(scope: Scope, row: { is_external: boolean; withheld_scopes: readonly Scope[] }) {
  return !row.is_external || row.withheld_scopes.includes(scope);
}
