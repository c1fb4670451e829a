import { sayInstant } from "../../store/aging/rollup.ts";
import type { Transaction } from "../../store/store.ts";
import type { AnyActor, Scope } from "./actor.ts";
import { recordDone, saidChanges } from "./audit.ts";
import { committed } from "./commit-retry.ts";
import { nowOf } from "./dependencies.ts";
import type { AuditedChange, CallRequest, RunContext } from "./run-context.ts";
import { assertStillAuthorized } from "./still-authorized.ts";

/** Who mutates, in which request, by which operation. */
export interface Mutation<A extends AnyActor = AnyActor> {
  readonly actor: A;
  readonly request: CallRequest;
  readonly operation: string;
  /** What an assistant needs for it; null for what no assistant can do. */
  readonly scope: Scope | null;
  /** Any member may make it. */
  readonly own?: boolean;
  /** Its transactions see the people and memberships of all workspaces, not only the caller's. */
  readonly allTenants?: boolean;
}

/** The context of a transaction, and what `audit` was called with. */
export interface MutationContext<A extends AnyActor = AnyActor> extends RunContext<A> {
  audited(): AuditedChange | undefined;
}

/**
 * One transaction of a mutation, repeated after a deadlock, which commits nothing once `signal` is aborted; then runs its `afterCommit` work, whose
 * failures are only logged.
 */
export async function transact<A extends AnyActor, T>(
  { actor, request, operation, allTenants = false }: Mutation<A>,
  work: (context: MutationContext<A>) => Promise<T>,
  signal?: AbortSignal,
) {
  const { core, requestId } = request;
  let afterwards: (() => Promise<void>)[] = [];
  const attempt = (tx: Transaction) => {
    afterwards = [];
    const now = nowOf(core);
    sayInstant(tx, now);
    return work({
      actor,
      tx,
      now,
      core,
      requestId,
      ...saidChanges(),
      afterCommit: (later) => void afterwards.push(later),
    });
  };
  const commit = () =>
    allTenants
      ? core.store.directory(attempt, actor.tenantId, signal)
      : core.store.write(actor.tenantId, attempt, signal);
  const result = await committed(commit, signal);
  for (const later of afterwards)
    await later().catch((error: unknown) => core.log.warn({ err: error, operation }, "after_commit.failed"));
  return result;
}

/** The same after reading and locking the caller's authority in the transaction: it may have ended since authentication. */
export function mutate<A extends AnyActor, T>(
  mutation: Mutation<A>,
  work: (context: MutationContext<A>) => Promise<T>,
) {
  const authorized = async (context: MutationContext<A>) => {
    await assertStillAuthorized(context.tx, mutation);
    return work(context);
  };
  return transact(mutation, authorized, mutation.request.signal);
}

/** Writes the entry of what a transaction passed to `audit`; none where it passed nothing. */
export function recordChange({ actor, tx, core, requestId, audited }: MutationContext, operation: string) {
  return recordDone(tx, core, { actor, operation, requestId }, audited() ?? null);
}
