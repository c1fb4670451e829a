import type Provider from "oidc-provider";
import { SCOPES, type Scope } from "../../src/core/gate/actor.ts";
import { LOOPBACK } from "../../src/settings.ts";
import type { Transaction } from "../../src/store/store.ts";
import { type AnsweredClient, selectConnectionsWith } from "../connection-queries.ts";
import { grantable } from "../grantable-scopes.ts";
import type { Artifacts } from "./artifacts.ts";

/** A connection that an authorization request can widen, instead of creating another one. */
export interface Extendable {
  readonly tenantId: string;
  readonly connectionId: string;
  readonly memberId: string;
  /** The scopes it has. */
  readonly scopes: readonly Scope[];
  /** The lists its client asked for before, with commas between them. */
  readonly askedScopes: readonly string[];
  /** The additional scope that the request asks for. */
  readonly added: Scope;
  /** When the person approved it; ISO 8601 UTC. */
  readonly createdAt: string;
}

/** What a page shows of a connection that it offers to widen: one that has other permissions by now is another offer. */
export const offerOf = ({ connectionId, scopes }: Extendable) => [connectionId, ...scopes].join(" ");

/** Those of ours in a list of scopes, in one order. */
const listed = (scopes: readonly string[]) => SCOPES.filter((scope) => scopes.includes(scope)).join(" ");

/** The host of a redirect address; without the port on a loopback host, and only the scheme of an app's address. */
export function hostOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === "https:") return host;
  return protocol === "http:" && LOOPBACK.has(hostname) ? hostname : protocol;
}

/**
 * The connections of a person that this request could widen, at most one per workspace. A client id proves little (all
 * users of a vendor share a published one), so person, client and redirect host must match, exactly one live connection
 * may match, and the person's role must allow the scope; the person then sees which connection it is, and confirms.
 */
export async function extendableConnections(
  tx: Transaction,
  { provider, artifacts }: { provider: Provider; artifacts: Artifacts },
  asking: AnsweredClient & { asked: readonly Scope[] },
  hold?: "locked",
): Promise<Extendable[]> {
  const connections = await selectConnectionsWith(tx, asking, hold);
  const extendable: Extendable[] = [];
  for (const connection of connections) {
    const { scopes, asked_scopes: askedScopes } = connection;
    const siblings = connections.filter((other) => other.tenant_id === connection.tenant_id);
    // Several, or what was asked for before, a client asks for on another device: its tokens must not end those of this one.
    if (askedScopes.some((before) => listed(before.split(" ")) === listed(asking.asked))) continue;
    const isNew = (scope: Scope) => asking.asked.includes(scope) && !scopes.includes(scope);
    const [added, ...more] = grantable(connection).filter(isNew);
    if (siblings.length > 1 || added === undefined || more.length > 0) continue;
    const { tenant_id: tenantId, connection_id: connectionId, member_id: memberId, created_at: createdAt } = connection;
    // Only a new approval extends a grant beyond its year.
    const grant = await artifacts.within(tx, () => provider.Grant.find(connectionId));
    if (grant === undefined || grant.clientId !== asking.clientId || grant.accountId !== asking.who.personId) continue;
    extendable.push({ tenantId, connectionId, memberId, scopes, askedScopes, added, createdAt });
  }
  return extendable;
}
