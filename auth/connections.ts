import type { AssistantMode, OperatorActor, PersonActor, Role, SystemActor } from "../src/core/gate/actor.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import { stopping } from "../src/core/gate/stopping.ts";
import type { Leading } from "../src/core/gate/work-step.ts";
import { notFound } from "../src/core/kernel/error.ts";
import { deleteArtifactsOfGrants } from "../src/store/identity/oidc-artifacts.ts";
import type { Transaction } from "../src/store/store.ts";
import { revokeAssistantConnection } from "./connection-acts.ts";
import { selectLive, selectPermissionsFor } from "./connection-queries.ts";
import { selectClosedMemberships, selectMemberships } from "./membership-queries.ts";
import type { SignedIn } from "./sessions.ts";

/** Topic of the notice that a connection has ended; the payload is its id. Processes that serve it stop at once. */
export const CONNECTION_REVOKED = "connection_revoked";

/** A workspace a person is a member of. */
export interface Membership {
  tenantId: string;
  memberId: string;
  name: string;
  /** IANA name. */
  timezone: string;
  role: Role;
  /** Whether the workspace's tier has assistants. */
  assistantAccess: boolean;
  /** The most a workspace allows assistants. */
  assistants: AssistantMode;
}

/** The signed-in person's memberships, by the workspace's name; only those their sign-in counts for. */
export function membershipsOf(core: Pick<Core, "store">, who: SignedIn): Promise<Membership[]> {
  return core.store.directory((tx) => selectMemberships(tx, who));
}

/** A workspace that a person's sign-in does not open: it lacks a second factor, or the workspace takes no passwords. */
export type ClosedMembership = Membership & { readonly lacksFactor: boolean };

/** The signed-in person's memberships that their password does not open, by name: to say so, and for nothing else. */
export function closedMembershipsOf(core: Pick<Core, "store">, who: SignedIn): Promise<ClosedMembership[]> {
  return core.store.directory((tx) => selectClosedMemberships(tx, who));
}

/**
 * A person revokes an assistant: their own, or as an admin any of the workspace. One that has ended is left unchanged.
 * Throws `not_found`, also for a connection the person may not see.
 */
export async function revokeConnection(
  core: Core,
  { who, connectionId, requestId }: { who: SignedIn; connectionId: string; requestId: string },
): Promise<void> {
  await end(core, connectionId, requestId, async (tx) => {
    const found = await selectPermissionsFor(tx, connectionId, who);
    if (found === undefined || (found.role !== "admin" && found.owner_id !== found.viewer_id))
      throw notFound("connection");
    return { kind: "person", tenantId: found.tenant_id, memberId: found.viewer_id };
  });
}

/** The service itself ends a connection: its client gave it up, or a one-time code or token was used twice. */
export async function endConnection(core: Core, connectionId: string): Promise<void> {
  await end(core, connectionId, core.newId(), async () => null);
}

/** Ends a connection and stops its calls. `authorize` returns the person who ends it, if any, or throws. */
async function end(
  core: Core,
  connectionId: string,
  requestId: string,
  authorize: (tx: Transaction) => Promise<PersonActor | null>,
): Promise<void> {
  const live = await core.store.directory(async (tx) => {
    await authorize(tx);
    return selectLive(tx, { connectionId });
  });
  const tell = async (): Promise<void> => {
    for (const { connection_id: payload } of live) await core.store.publish({ topic: CONNECTION_REVOKED, payload });
  };
  const change = () =>
    core.store.directory(async (tx) => {
      const person = await authorize(tx);
      for (const { tenant_id: tenantId } of live) {
        const actor = person ?? { kind: "system" as const, tenantId, name: "authorization_server" };
        await endConnections({ tx, core, requestId }, actor, [connectionId]);
      }
    }, live[0]?.tenant_id);
  await stopping(tell, change);
}

/** Ends connections of the actor's workspace, and deletes their refresh tokens. */
export async function endConnections(
  leading: Leading,
  actor: PersonActor | OperatorActor | SystemActor,
  connectionIds: readonly string[],
): Promise<void> {
  for (const connectionId of connectionIds) await revokeAssistantConnection.within(leading, actor, connectionId);
  await deleteArtifactsOfGrants(leading.tx, connectionIds);
}
