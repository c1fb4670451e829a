import type { ActorKind, AnyActor, Permission, Scope } from "./actor.ts";
import { ServiceError } from "./error.ts";

/** What an operation declares of who may call it. */
interface Guarded {
  readonly callers: readonly ActorKind[];
  readonly permission: Permission;
  readonly scope: Scope | null;
}

/**
 * Throws `permission_denied` unless the actor may call the operation (service.md §5.2, completions §1–2). Whether a person is
 * an admin is read in the transaction.
 */
export function assertPermitted(declared: Guarded, actor: AnyActor): void {
  if (!declared.callers.includes(actor.kind))
    throw new ServiceError("permission_denied", "This operation is not for callers of this kind.");
  if (actor.kind === "api_key" && declared.permission === "admin" && actor.permission !== "admin")
    throw new ServiceError("permission_denied", "This operation needs an admin key.");
  if (actor.kind !== "assistant") return;
  if (declared.scope === null) throw lackingScope(null);
  if (declared.permission === "admin" && actor.role !== "admin")
    throw new ServiceError("permission_denied", "This operation needs a workspace admin.");
  if (actor.readsOnly && declared.permission === "admin") throw assistantsOnlyRead();
  if (!actor.scopes.includes(declared.scope)) throw lackingScope(declared.scope);
}

/** For an assistant whose workspace lets assistants only read (completions §11); step-up would not help. */
export function assistantsOnlyRead(): ServiceError {
  return new ServiceError("permission_denied", "The workspace lets assistants only read. An admin can change that.");
}

/** For a person who is not a member of the workspace, or no longer. */
export function notMember(): ServiceError {
  return new ServiceError("permission_denied", "Only a member of the workspace can see that.");
}

/** For an assistant without the scope; with `missingScope`, which starts a step-up. */
export function lackingScope(scope: Scope | null): ServiceError {
  if (scope === null) return new ServiceError("permission_denied", "Assistants cannot call this operation.");
  const options = { missingScope: scope };
  return new ServiceError("permission_denied", `This connection lacks the scope ${scope}.`, options);
}
