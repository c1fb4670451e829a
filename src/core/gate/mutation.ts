import { lockAdmin, lockConnectionAuthority, lockKeyAuthority } from "../../store/identity/authority.ts";
import type { Transaction } from "../../store/store.ts";
import { type AnyActor, type ApiKeyActor, type AssistantActor, parseScopes, type Scope } from "./actor.ts";
import { recordDone } from "./audit.ts";
import { committed } from "./committed.ts";
import { nowOf } from "./dependencies.ts";
import { ServiceError } from "./error.ts";
import type { AuditedObject, CallRequest, RunContext } from "./run-context.ts";

/** Who mutates, in which request, by which operation. */
export interface Mutation<A extends AnyActor = AnyActor> {
  readonly actor: A;
  readonly request: CallRequest;
  readonly operation: string;
  /** What an assistant needs for it; null for what no assistant can do. */
  readonly scope: Scope | null;
  /** Its transactions see the people and memberships of all workspaces, not only the caller's. */
  readonly allTenants?: boolean;
}

/** The context of a transaction, and what `audit` was called with. */
export interface MutationContext<A extends AnyActor = AnyActor> extends RunContext<A> {
  audited(): AuditedObject | null | undefined;
}

/**
 * One transaction of a mutation, repeated after a deadlock unless `signal` is aborted; then runs its `afterCommit` work, whose
 * failures are only logged.
 */
export async function transact<A extends AnyActor, T>(
  { actor, request, operation, allTenants = false }: Mutation<A>,
  work: (context: MutationContext<A>) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { core, requestId } = request;
  let afterwards: (() => Promise<void>)[] = [];
  const attempt = (tx: Transaction): Promise<T> => {
    let object: AuditedObject | null | undefined;
    afterwards = [];
    return work({
      actor,
      tx,
      now: nowOf(core),
      core,
      requestId,
      audit(changed) {
        object = changed;
      },
      audited: () => object,
      afterCommit: (later) => void afterwards.push(later),
    });
  };
  const commit = () => (allTenants ? core.store.directory(attempt) : core.store.write(actor.tenantId, attempt));
  const result = await committed(commit, signal);
  for (const later of afterwards)
    await later().catch((error: unknown) => core.log.warn({ err: error, operation }, "after_commit.failed"));
  return result;
}

/** The same after reading and locking the caller's authority in the transaction: it may have ended since authentication. */
export function mutate<A extends AnyActor, T>(
  mutation: Mutation<A>,
  work: (context: MutationContext<A>) => Promise<T>,
): Promise<T> {
  return transact(mutation, async (context) => {
    await assertStillAuthorized(context.tx, mutation);
    const result = await work(context);
    mutation.request.signal?.throwIfAborted();
    return result;
  });
}

/** Writes the entry of what a transaction passed to `audit`; none where it passed nothing. */
export function recordChange(
  { actor, tx, core, requestId, audited }: MutationContext,
  operation: string,
): Promise<void> {
  return recordDone(tx, core, { actor, operation, requestId }, audited() ?? null);
}

async function assertStillAuthorized(tx: Transaction, { actor, scope }: Mutation): Promise<void> {
  switch (actor.kind) {
    case "api_key":
      return assertKey(tx, actor);
    case "assistant":
      return assertConnection(tx, actor, scope);
    case "person":
      if (await lockAdmin(tx, actor)) return;
      throw new ServiceError("permission_denied", "Only an admin of the workspace can do that.");
    // These three are not authorized by rows of the store, so nothing there can have ended.
    case "operator":
    case "system":
    case "provider":
  }
}

async function assertKey(tx: Transaction, { keyId }: ApiKeyActor): Promise<void> {
  const key = await lockKeyAuthority(tx, keyId);
  if (key === null || key.revoked) throw new ServiceError("revoked_credentials", "This API key was revoked.");
  if (!key.apiAccess) throw new ServiceError("feature_unavailable", "The workspace's plan has no API access.");
}

async function assertConnection(tx: Transaction, actor: AssistantActor, scope: Scope | null): Promise<void> {
  const connection = await lockConnectionAuthority(tx, actor);
  if (connection === null || connection.revoked || connection.removed)
    throw new ServiceError("revoked_credentials", "This connection was revoked.");
  if (!connection.assistantAccess)
    throw new ServiceError("feature_unavailable", "The workspace's plan has no assistant access.");
  if (connection.role !== "admin")
    throw new ServiceError("permission_denied", "This operation needs a workspace admin.");
  if (connection.assistants === "read") throw assistantsOnlyRead();
  if (scope === null || !parseScopes(connection.scopes).includes(scope)) throw lackingScope(scope);
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
