import type { Transaction } from "../../store/store.ts";
import type { SystemActor } from "./actor.ts";
import { committed } from "./committed.ts";
import { type Core, nowOf } from "./dependencies.ts";
import { type MutationContext, recordChange, transact } from "./mutation.ts";
import type { RunContext } from "./run-context.ts";

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

/** What a step of all workspaces works with. */
interface SharedContext {
  readonly tx: Transaction;
  readonly core: Core;
  /** The instant of the step, ISO 8601 UTC. */
  readonly now: string;
}

/** The same for what is nobody's act, such as claims and what has expired: the rows of all workspaces in one transaction. */
export function allTenantsStep<A extends readonly unknown[], T>(
  run: (context: SharedContext, ...input: A) => Promise<T>,
): (core: Core, ...input: A) => Promise<T> {
  return (core, ...input) => committed(() => core.store.system((tx) => run({ tx, core, now: nowOf(core) }, ...input)));
}
