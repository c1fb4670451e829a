import { lockConnectionAuthority, lockKeyAuthority } from "../store/authority.ts";
import type { Transaction } from "../store/store.ts";
import { type Actor, parseScopes, type Scope } from "./actor.ts";
import { nowOf } from "./core.ts";
import { ServiceError } from "./error.ts";
import type { AuditedObject, CallRequest, RunContext } from "./run-context.ts";

/** Who mutates, in which request, by which operation. */
export interface Mutation {
  readonly actor: Actor;
  readonly request: CallRequest;
  readonly operation: string;
  /** What an assistant needs for it; null for what no assistant can do. */
  readonly scope: Scope | null;
}

/** The context of a transaction, and what it was told to name in the audit entry. */
export interface MutationContext extends RunContext {
  audited(): AuditedObject | undefined;
}

/** One transaction of a mutation; what it leaves to do after the commit is done, or logged where it fails. */
export async function transact<T>(
  { actor, request, operation }: Mutation,
  work: (context: MutationContext) => Promise<T>,
): Promise<T> {
  const { core, requestId } = request;
  const afterwards: (() => Promise<void>)[] = [];
  const result = await core.store.write(actor.tenantId, (tx) => {
    let object: AuditedObject | undefined;
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
  });
  for (const later of afterwards)
    await later().catch((error: unknown) => core.log.warn({ err: error, operation }, "work after a commit failed"));
  return result;
}

/** The same for a caller whose authority is read, and held, in the transaction itself: it may have ended since sign-in. */
export function mutate<T>(mutation: Mutation, work: (context: MutationContext) => Promise<T>): Promise<T> {
  return transact(mutation, async (context) => {
    await assertStillAuthorized(context.tx, mutation);
    const result = await work(context);
    mutation.request.signal?.throwIfAborted();
    return result;
  });
}

async function assertStillAuthorized(tx: Transaction, { actor, scope }: Mutation): Promise<void> {
  if (actor.kind === "api_key") {
    const key = await lockKeyAuthority(tx, actor.keyId);
    if (key === null || key.revoked) throw new ServiceError("revoked_credentials", "This API key was revoked.");
    if (!key.apiAccess) throw new ServiceError("feature_unavailable", "The workspace's plan has no API access.");
    return;
  }
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

/** A workspace may be set so that assistants only read (completions §11): asking for more would lead nowhere. */
export function assistantsOnlyRead(): ServiceError {
  return new ServiceError("permission_denied", "The workspace lets assistants only read. An admin can change that.");
}

/** What an assistant is told that could ask its person for more. */
export function lackingScope(scope: Scope | null): ServiceError {
  if (scope === null) return new ServiceError("permission_denied", "Assistants cannot call this operation.");
  const options = { missingScope: scope };
  return new ServiceError("permission_denied", `This connection lacks the scope ${scope}.`, options);
}
