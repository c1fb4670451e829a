import type { Transaction } from "../../store/store.ts";
import type { ActorKind, ActorOf, AnyActor, Scope } from "./actor.ts";
import { recordDone } from "./audit.ts";
import type { Core } from "./dependencies.ts";
import { assertPermitted } from "./permission.ts";
import type { AuditedObject } from "./run-context.ts";

/** The transaction and the request that caused an act. */
export interface Leading {
  readonly tx: Transaction;
  readonly core: Pick<Core, "clock" | "newId">;
  readonly requestId: string;
}

type Changed = AuditedObject | readonly AuditedObject[] | null;

interface InnerContext<A extends AnyActor> extends Leading {
  readonly actor: A;
  /** Names what was changed, or refused, for its audit entries; null where nothing was, which leaves none. */
  audit(changed: Changed): void;
}

interface Declaration<K extends ActorKind, I, T> {
  /** The act's name in the audit trail. */
  readonly id: string;
  /** The kinds of actors that may be named as its author. */
  readonly callers: readonly K[];
  /** What an assistant needs for it; without one no assistant can be its author. */
  readonly scope?: Scope;
  run(context: InnerContext<ActorOf<K>>, input: I): Promise<T>;
}

/** An act that another one causes, such as withdrawing links that ask for more than a payment left owed. */
interface InnerOperation<I, A extends AnyActor, T> {
  /** Carries it out in the transaction that caused it, with its own audit entry. */
  within(leading: Leading, actor: A, input: I): Promise<T>;
}

/** Declares an act that cannot be called by itself: the operation that causes it came through the gate. */
export function innerOperation<K extends ActorKind, I, T>({
  id,
  callers,
  scope,
  run,
}: Declaration<K, I, T>): InnerOperation<I, ActorOf<K>, T> {
  return {
    async within({ tx, core, requestId }, actor, input) {
      assertPermitted({ callers, permission: "admin", scope: scope ?? null }, actor);
      let changed: Changed | undefined;
      const audit = (what: Changed): void => {
        changed = what;
      };
      const done = await run({ tx, core, requestId, actor, audit }, input);
      await recordDone(tx, core, { actor, operation: id, requestId }, changed);
      return done;
    },
  };
}
