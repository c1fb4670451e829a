import { listApiKeys } from "../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { insertAssistantConnection, selectConnections } from "../../auth/connection-queries.ts";
import { endConnection } from "../../auth/connections.ts";
import { listMembers } from "../../auth/members/member.ts";
import { type ApiKeyActor, type AssistantActor, type PersonActor, SCOPES } from "../core/gate/actor.ts";
import { recordDone } from "../core/gate/audit.ts";
import { nowOf } from "../core/gate/dependencies.ts";
import { operate } from "../core/gate/operator.ts";
import { PEOPLE } from "./cast.ts";
import type { Scene } from "./scene.ts";

const ASSISTANT = { id: "https://assistant.example/oauth/client.json", name: "Ledger Assistant" };

/** The workspace's own admin at the service's pages. */
export async function adminOf({ core, tenantId, workspace }: Scene): Promise<PersonActor & { email: string }> {
  const person = PEOPLE.find(({ roles }) => roles[workspace.key] === "admin");
  const member = (await operate(core, tenantId, listMembers, {})).find(({ email }) => email === person?.email);
  if (member === undefined) throw new Error("the demo's workspace has no admin");
  return { kind: "person", tenantId, memberId: member.id, email: member.email };
}

/** A system of the workspace, with a key that is replaced when the credentials file is written. */
export async function systemOf(scene: Scene): Promise<ApiKeyActor> {
  const { core, tenantId, workspace } = scene;
  const kept = workspace.keys.find(({ permission }) => permission === "admin");
  if (kept === undefined) throw new Error("the demo's workspace has no admin key");
  const keys = await operate(core, tenantId, listApiKeys, {});
  const known = keys.find(({ name, revoked_at: revokedAt }) => name === kept.name && revokedAt === null);
  const { id } = known ?? (await createApiKey.call(await adminOf(scene), kept, { core, requestId: core.newId() }));
  return { kind: "api_key", tenantId, keyId: id, permission: "admin" };
}

/** The admin through an assistant, which is approved at its first call. */
export async function assistantOf(scene: Scene): Promise<AssistantActor> {
  const { core, tenantId } = scene;
  const { memberId } = await adminOf(scene);
  const connectionId = await core.store.write(tenantId, async (tx) => {
    const known = (await selectConnections(tx, tenantId, memberId)).find((one) => one.revokedAt === null);
    if (known !== undefined) return known.id;
    const made = core.newId();
    await insertAssistantConnection(tx, {
      tenant_id: tenantId,
      connection_id: made,
      member_id: memberId,
      client_id: ASSISTANT.id,
      client_name: ASSISTANT.name,
      client_uri: null,
      scopes: [...SCOPES],
      created_at: nowOf(core),
      last_used_at: nowOf(core),
      revoked_at: null,
      revoked_by: null,
    });
    const act = {
      actor: { kind: "person", tenantId, memberId },
      operation: "connectAssistant",
      requestId: core.newId(),
    } as const;
    await recordDone(tx, core, act, { type: "assistant_connection", id: made });
    return made;
  });
  return { kind: "assistant", tenantId, memberId, role: "admin", connectionId, scopes: SCOPES, readsOnly: false };
}

/** Revokes that connection: no client holds its tokens. */
export async function endAssistant(scene: Scene): Promise<void> {
  const { core, tenantId } = scene;
  const connections = await core.store.read(tenantId, (tx) => selectConnections(tx, tenantId, null));
  for (const { id, revokedAt } of connections) if (revokedAt === null) await endConnection(core, id);
}
