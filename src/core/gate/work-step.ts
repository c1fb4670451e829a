import { sayInstant } from "../../store/aging/rollup.ts";
import type { Shards } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import { isStoreUnavailable } from "../../store/unavailable.ts";
import type { ActorKind, ActorOf, AnyActor, Scope, SystemActor } from "./actor.ts";
import { recordDone, saidChanges } from "./audit.ts";
import { briskly } from "./brisk.ts";
import { committed } from "./commit-retry.ts";
import { type Core, nowOf, type Stamping } from "./dependencies.ts";
import { type MutationContext, recordChange, transact } from "./mutation.ts";
import { assertPermitted } from "./permission.ts";
import type { AuditedChange, RunContext } from "./run-context.ts";
import { tellWorkersAway } from "./workers-away.ts";

/** What a step works with; it leaves an audit entry where it calls `audit`. */
export type StepContext = RunContext<SystemActor>;

/** Does the step in a workspace. Rejects with the signal's reason where it is aborted before. */
export type WorkStep<I, T> = (core: Core, tenantId: string, input: I, signal?: AbortSignal) => Promise<T>;

/** One transaction in a workspace, repeated after a deadlock, by the actor `system` of the step's name, also in the log. */
interface InWorkspace<I, T> {
  readonly name: string;
  run(context: StepContext, input: I): Promise<T>;
}

/** Where a step is done that is of no workspace. */
interface Outside {
  readonly tx: Transaction;
  readonly core: Core;
  /** The instant of the step, ISO 8601 UTC. */
  readonly now: string;
}

interface OfWorkspace extends Outside {
  readonly tenantId: string;
}

interface LookContext extends Outside {
  readonly shards: Shards;
}

/** A look at one moment's rows of a workspace, which a step outside the store begins with: it holds and writes nothing. */
interface LookInWorkspace<A extends readonly unknown[], T> {
  readonly in: "workspace";
  run(context: OfWorkspace, ...input: A): Promise<T>;
}

/** The same at the rows of all workspaces, such as for what is due; those that can be reached, unless it has to be `whole`. */
interface AcrossWorkspaces<A extends readonly unknown[], T> {
  readonly in: "all workspaces";
  readonly whole?: true;
  run(context: LookContext, ...input: A): Promise<T>;
}

/** Work in the directory, which is of no workspace, such as removing what has expired there. */
interface InDirectory<A extends readonly unknown[], T> {
  readonly in: "directory";
  run(context: Outside, ...input: A): Promise<T>;
}

/**
 * What is nobody's act and is done in many workspaces: those that `find` names, each in a transaction of its own. One whose part
 * of the store is away or busy is left out and the others go on; one that fails otherwise fails the step after the others. Answers what was
 * done in each.
 */
interface InEach<A extends readonly unknown[], T> {
  readonly name: string;
  find(context: LookContext, ...input: A): Promise<string[]>;
  run(context: OfWorkspace, ...input: A): Promise<T>;
}

/** The transaction and the request that caused an act. */
export interface Leading {
  readonly tx: Transaction;
  readonly core: Stamping;
  readonly requestId: string;
}

interface WithinContext<A extends AnyActor> extends Leading {
  readonly actor: A;
  /** Names what was changed, or refused, for its audit entries; null where nothing was, which leaves none. */
  audit(changed: AuditedChange): void;
}

/** An act that another one causes, such as withdrawing links that ask for more than a payment left owed. */
interface Within<K extends ActorKind, I, T> {
  /** The act's name in the audit trail. */
  readonly name: string;
  /** The kinds of actors that may be named as its author. */
  readonly callers: readonly K[];
  /** What an assistant needs for it; without one no assistant can be its author. */
  readonly scope?: Scope;
  run(context: WithinContext<ActorOf<K>>, input: I): Promise<T>;
}

interface CausedStep<I, A extends AnyActor, T> {
  /** Carries it out in the transaction that caused it, with its own audit entry. */
  within(leading: Leading, actor: A, input: I): Promise<T>;
}

/** Declares work that nobody calls: in a workspace, or where its fields say. */
export function workStep<K extends ActorKind, I, T>(declared: Within<K, I, T>): CausedStep<I, ActorOf<K>, T>;
export function workStep<A extends readonly unknown[], T>(
  declared: InEach<A, T>,
): (core: Core, ...input: A) => Promise<T[]>;
export function workStep<A extends readonly unknown[], T>(
  declared: LookInWorkspace<A, T>,
): (core: Core, tenantId: string, ...input: A) => Promise<T>;
export function workStep<A extends readonly unknown[], T>(
  declared: AcrossWorkspaces<A, T> | InDirectory<A, T>,
): (core: Core, ...input: A) => Promise<T>;
export function workStep<I, T>(declared: InWorkspace<I, T>): WorkStep<I, T>;
export function workStep<K extends ActorKind, I, A extends readonly unknown[], T>(
  declared:
    | Within<K, I, T>
    | InEach<A, T>
    | LookInWorkspace<A, T>
    | AcrossWorkspaces<A, T>
    | InDirectory<A, T>
    | InWorkspace<I, T>,
) {
  if ("callers" in declared) return within(declared);
  if ("find" in declared) return inEach(declared);
  if (!("in" in declared)) return inWorkspace(declared);
  if (declared.in === "all workspaces") return across(declared);
  if (declared.in === "workspace")
    return (core: Core, tenantId: string, ...input: A) =>
      core.store.read(tenantId, (tx) => declared.run({ tx, core, tenantId, now: nowOf(core) }, ...input));
  return (core: Core, ...input: A) =>
    committed(() => core.store.directory((tx) => declared.run({ tx, core, now: nowOf(core) }, ...input)));
}

function inWorkspace<I, T>({ name, run }: InWorkspace<I, T>): WorkStep<I, T> {
  return (core, tenantId, input, signal) => {
    const actor = { kind: "system", tenantId, name } as const;
    const mutation = { actor, request: { core, requestId: core.newId() }, operation: name, scope: null };
    const work = async (context: MutationContext<SystemActor>) => {
      const done = await run(context, input);
      await recordChange(context, name);
      return done;
    };
    return transact(mutation, work, signal);
  };
}

function across<A extends readonly unknown[], T>({ run, whole }: Omit<AcrossWorkspaces<A, T>, "in">) {
  return (core: Core, ...input: A) =>
    core.store.everyShard((tx, shards) => {
      tellWorkersAway(core, shards);
      return run({ tx, shards, core, now: nowOf(core) }, ...input);
    }, whole && "whole");
}

function inEach<A extends readonly unknown[], T>({ name, find, run }: InEach<A, T>) {
  const look = across({ run: find });
  return async (core: Core, ...input: A) => {
    const done: T[] = [];
    let failure: unknown;
    for (const tenantId of await look(core, ...input)) {
      const attempt = () =>
        briskly(core).store.write(tenantId, (tx) => {
          const now = nowOf(core);
          sayInstant(tx, now);
          return run({ tx, core, tenantId, now }, ...input);
        });
      try {
        done.push(await committed(attempt));
      } catch (error) {
        if (!isStoreUnavailable(error)) failure = error;
        core.log.warn({ tenantId, step: name, err: error }, "work.left_out");
      }
    }
    if (failure) throw failure;
    return done;
  };
}

function within<K extends ActorKind, I, T>({
  name,
  callers,
  scope,
  run,
}: Within<K, I, T>): CausedStep<I, ActorOf<K>, T> {
  return {
    async within({ tx, core, requestId }, actor, input) {
      assertPermitted({ callers, permission: "admin", scope: scope ?? null }, actor);
      const { audit, audited } = saidChanges();
      const done = await run({ tx, core, requestId, actor, audit }, input);
      await recordDone(tx, core, { actor, operation: name, requestId }, audited());
      return done;
    },
  };
}
