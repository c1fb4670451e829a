import { lockConnectionAuthority, lockKeyAuthority, lockRole } from "../../store/identity/authority.ts";
import type { Transaction } from "../../store/store.ts";
import { ServiceError } from "../kernel/error.ts";
import type { AnyActor, ApiKeyActor, AssistantActor, Scope } from "./actor.ts";
import { connectionRevoked, featureUnavailable, keyRevoked } from "./ended-access.ts";
import { assistantsOnlyRead, lackingScope, noAdmin } from "./permission.ts";

/**
 * Throws unless a caller may still mutate: its key, connection or role is read again and locked, for it may have ended since
 * authentication (completions §1). `scope` is what an assistant needs.
 */
export async function assertStillAuthorized(
  tx: Transaction,
  { actor, scope, own = false }: { actor: AnyActor; scope: Scope | null; own?: boolean },
) {
  switch (actor.kind) {
    case "api_key":
      return assertKey(tx, actor);
    case "assistant":
      return assertConnection(tx, actor, scope);
    case "person": {
      const role = await lockRole(tx, actor);
      if (role === "admin" || (own && role !== undefined)) return;
      throw new ServiceError("permission_denied", "Only an admin of the workspace can do that.");
    }
    // These three are not authorized by rows of the store, so nothing there can have ended.
    case "operator":
    case "system":
    case "provider":
  }
}

async function assertKey(tx: Transaction, { keyId }: ApiKeyActor) {
  const key = await lockKeyAuthority(tx, keyId);
  if (key === null || key.revoked) throw keyRevoked();
  if (!key.apiAccess) throw featureUnavailable("API");
}

async function assertConnection(tx: Transaction, actor: AssistantActor, scope: Scope | null) {
  const connection = await lockConnectionAuthority(tx, actor);
  if (connection === null || connection.revoked || connection.removed) throw connectionRevoked();
  if (!connection.assistantAccess) throw featureUnavailable("assistant");
  if (connection.role !== "admin") throw noAdmin();
  if (connection.assistants === "read") throw assistantsOnlyRead();
  if (scope === null || !connection.scopes.includes(scope)) throw lackingScope(scope);
}
