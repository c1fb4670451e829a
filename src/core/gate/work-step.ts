import type { Shards } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import { isStoreUnavailable } from "../../store/unavailable.ts";
import type { SystemActor } from "./actor.ts";
import { committed } from "./commit-retry.ts";
import { type Core, nowOf } from "./dependencies.ts";
import { type MutationContext, recordChange, transact } from "./mutation.ts";
import type { RunContext } from "./run-context.ts";
import { tellWorkersAway } from "./workers-away.ts";

/** What a step works with; it leaves an audit entry where it calls `audit`. */
export type StepContext = RunContext<SystemActor>;

/** Does the step in a workspace. Rejects with the signal's reason where it is aborted before. */
export type WorkStep<I, T> = (core: Core, tenantId: string, input: I, signal?: AbortSignal) => Promise<T>;

/**
 * Declares a step of work without a caller, such as of a job: one transaction in a workspace, repeated after a deadlock, by the
 * actor `system` of the step's name, which also stands in the log.
 */
export function workStep<I, T>(declared: {
  readonly name: string;
  run(context: StepContext, input: I): Promise<T>;
}): WorkStep<I, T> {
  const { name, run } = declared;
  return (core, tenantId, input, signal) => {
    const actor = { kind: "system", tenantId, name } as const;
    const mutation = { actor, request: { core, requestId: core.newId() }, operation: name, scope: null };
    const work = async (context: MutationContext<SystemActor>): Promise<T> => {
      const done = await run(context, input);
      await recordChange(context, name);
      return done;
    };
    return transact(mutation, work, signal);
  };
}

/** What a look at all workspaces works with. */
interface LookContext {
  readonly tx: Transaction;
  readonly shards: Shards;
  readonly core: Core;
  /** The instant of the look, ISO 8601 UTC. */
  readonly now: string;
}

/** Declares a look at the rows of all workspaces, such as for what is due: it holds and writes nothing. */
export function lookAtAll<A extends readonly unknown[], T>(
  look: (context: LookContext, ...input: A) => Promise<T>,
): (core: Core, ...input: A) => Promise<T> {
  return (core, ...input) =>
    core.store.everyShard((tx, shards) => {
      tellWorkersAway(core, shards);
      return look({ tx, shards, core, now: nowOf(core) }, ...input);
    });
}

/** Declares work in the directory, which is of no workspace, such as removing what has expired there. */
export function directoryStep<A extends readonly unknown[], T>(
  run: (context: Omit<LookContext, "shards">, ...input: A) => Promise<T>,
): (core: Core, ...input: A) => Promise<T> {
  return (core, ...input) =>
    committed(() => core.store.directory((tx) => run({ tx, core, now: nowOf(core) }, ...input)));
}

/**
 * Declares what is nobody's act and is done in many workspaces, such as removing what has expired: those that `find` names, each in
 * a transaction of its own. One whose part of the store is away is left out and the others go on. Answers what was done in each.
 */
export function inEachTenant<A extends readonly unknown[], T>(declared: {
  readonly name: string;
  readonly find: (context: LookContext, ...input: A) => Promise<string[]>;
  readonly act: (context: Omit<LookContext, "shards"> & { readonly tenantId: string }, ...input: A) => Promise<T>;
}): (core: Core, ...input: A) => Promise<T[]> {
  const { name, find, act } = declared;
  const look = lookAtAll(find);
  return async (core, ...input) => {
    const done: T[] = [];
    for (const tenantId of await look(core, ...input)) {
      const attempt = () => core.store.write(tenantId, (tx) => act({ tx, core, tenantId, now: nowOf(core) }, ...input));
      try {
        done.push(await committed(attempt));
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        core.log.warn({ tenantId, step: name, err: error }, "work.left_out");
      }
    }
    return done;
  };
}
