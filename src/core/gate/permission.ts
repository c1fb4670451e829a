import { ServiceError } from "../kernel/error.ts";
import type { ActorKind, AnyActor, Permission, Role, Scope } from "./actor.ts";

/** What an operation declares of who may call it. */
interface Guarded {
  readonly callers: readonly ActorKind[];
  readonly permission: Permission;
  readonly scope: Scope | null;
}

/**
 * Why an actor may not call an operation, as what makes the error; null when it may (service.md §5.2, completions §1–2). What is offered
 * and what is allowed both ask this. Whether a person is an admin is read in the transaction.
 */
export function deniedBecause(declared: Guarded, actor: AnyActor) {
  const { callers, permission, scope } = declared;
  if (!callers.includes(actor.kind)) return wrongCaller;
  if (actor.kind === "api_key") return permission === "admin" && actor.permission !== "admin" ? noAdminKey : null;
  if (actor.kind !== "assistant") return null;
  if (scope === null) return () => lackingScope(null);
  if (permission === "admin" && actor.role !== "admin") return noAdmin;
  if (permission === "admin" && actor.readsOnly) return assistantsOnlyRead;
  return actor.scopes.includes(scope) ? null : () => lackingScope(scope);
}

/** Throws `permission_denied` unless the actor may call the operation. */
export function assertPermitted(declared: Guarded, actor: AnyActor) {
  const error = deniedBecause(declared, actor);
  if (error !== null) throw error();
}

const wrongCaller = () => new ServiceError("permission_denied", "This operation is not for callers of this kind.");
const noAdminKey = () => new ServiceError("permission_denied", "This operation needs an admin key.");

/** For a member whose operation needs an admin. */
export const noAdmin = () => new ServiceError("permission_denied", "This operation needs a workspace admin.");

/** For an assistant whose workspace lets assistants only read (completions §11); step-up would not help. */
export function assistantsOnlyRead() {
  return new ServiceError("permission_denied", "The workspace lets assistants only read. An admin can change that.");
}

/** Throws `permission_denied` unless a person of that role, undefined without a membership, may read what is for admins or for all. */
export function assertMayRead(role: Role | undefined, admins: true | undefined) {
  if (role === undefined) throw new ServiceError("permission_denied", "Only a member of the workspace can see that.");
  if (admins && role !== "admin") throw noAdmin();
}

/** For an assistant without the scope; with `missingScope`, which starts a step-up. */
export function lackingScope(scope: Scope | null) {
  if (scope === null) return new ServiceError("permission_denied", "Assistants cannot call this operation.");
  const options = { missingScope: scope };
  return new ServiceError("permission_denied", `This connection lacks the scope ${scope}.`, options);
}
