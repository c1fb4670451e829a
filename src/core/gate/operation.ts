import type { z } from "zod";
import { roleOf } from "../../store/identity/authority.ts";
import type { Notice, Transaction } from "../../store/store.ts";
import { parseInput } from "../kernel/validation.ts";
import type { ActorKind, ActorOf, AnyActor, Collector } from "./actor.ts";
import { recordDone } from "./audit.ts";
import { checkedOutput, declaredErrors } from "./checked-output.ts";
import { nowOf } from "./dependencies.ts";
import type { Face, Operation } from "./face.ts";
import { onceOnly, recall, remember, requireIdempotencyKey } from "./idempotency.ts";
import { mutate } from "./mutation.ts";
import { callOutside, type OutsideDeclaration } from "./outside-call.ts";
import { assertMayRead, assertPermitted } from "./permission.ts";
import type { CallRequest, RunContext } from "./run-context.ts";
import { stopping } from "./stopping.ts";

// What declarations are made of comes with what declares them.
export * from "./actor.ts";
export * from "./dependencies.ts";
export * from "./face.ts";
export type * from "./run-context.ts";

/** What `prepare` works with; the signal is aborted when the caller gives up. */
type Preparation<A extends AnyActor> = Pick<CallRequest, "core" | "signal"> & { readonly actor: A };

interface Declaration<K extends ActorKind, I extends z.ZodType, O extends z.ZodType, P> extends Face<I, O> {
  readonly callers: readonly K[];
  /** It sees the people and memberships of all workspaces, not only the caller's. */
  readonly allTenants?: true;
  /**
   * What makes two requests of one name the same, without secrets, of which no digest is kept: it is carried out once for a
   * caller who names the request.
   */
  readonly once?: (input: z.output<I>) => unknown;
  /**
   * Slow work before a mutation's transaction, once the caller's authority is checked: hashing a password, a request to an ERP
   * or a payment provider. It writes nothing but steps that are right by themselves. Throws ServiceError for what cannot be done.
   */
  prepare?(call: Preparation<ActorOf<K>>, input: z.output<I>): Promise<P>;
  /** For a change that ends access: the notices that stop its use, sent before, during and after the change. */
  stops?(context: RunContext<ActorOf<K>>, input: z.output<I>): Promise<readonly Notice[]>;
  run(context: RunContext<ActorOf<K>>, input: z.output<I>, prepared: P): Promise<z.output<O>>;
}

/** Declares an operation that is a transaction, or one with a step outside the store. */
export function operation<I extends z.ZodType, O extends z.ZodType, R extends z.ZodType, Outcome>(
  declaration: OutsideDeclaration<I, O, R, Outcome>,
): Operation<I, O, Collector>;
export function operation<K extends ActorKind, I extends z.ZodType, O extends z.ZodType, P = never>(
  declaration: Declaration<K, I, O, P>,
): Operation<I, O, ActorOf<K>>;
export function operation<K extends ActorKind, I extends z.ZodType, O extends z.ZodType, R extends z.ZodType, Outcome>(
  declaration: Declaration<K, I, O, unknown> | OutsideDeclaration<I, O, R, Outcome>,
) {
  return "outside" in declaration ? callOutside(declaration) : callInside(declaration);
}

function callInside<K extends ActorKind, I extends z.ZodType, O extends z.ZodType>(
  declaration: Declaration<K, I, O, unknown>,
): Operation<I, O, ActorOf<K>> {
  const { run, prepare, stops, once: named, allTenants = false, ...face } = declaration;
  const { id, scope, output, own = false } = face;
  return {
    ...face,
    call: (actor, rawInput, request) =>
      declaredErrors(request.core, face, async () => {
        assertPermitted(face, actor);
        const { core, signal, idempotencyKey } = request;
        const isOnce = face.idempotency || (named !== undefined && idempotencyKey !== undefined);
        const key = isOnce ? requireIdempotencyKey(idempotencyKey) : null;
        const input = parseInput(face.input, rawInput, request.steering);
        if (face.permission === "readonly")
          return read({ actor, admins: face.admins }, request, async (context) =>
            checkedOutput(core, output, await run(context, input, undefined)),
          );
        // What ends somebody's access is not stopped by it: they may end their own.
        const { signal: _, ...unstopped } = request;
        const by = stops === undefined ? request : unstopped;
        const mutation = { actor, request: by, operation: id, scope, own, allTenants };
        if (prepare !== undefined) await mutate(mutation, async () => undefined);
        const prepared = await prepare?.({ actor, core, ...(signal && { signal }) }, input);
        const once = key === null ? null : onceOnly(actor, id, key, named?.(input) ?? input, nowOf(core));
        const change = () =>
          mutate(mutation, async (context) => {
            const { tx, requestId } = context;
            const earlier = once === null ? null : await recall(tx, once);
            if (earlier !== null) {
              request.onReplay?.();
              return output.parse(JSON.parse(earlier));
            }
            const done = checkedOutput(core, output, await run(context, input, prepared));
            const changed = context.audited();
            if (changed === null) core.onUnchanged?.();
            await recordDone(tx, core, { actor, operation: id, requestId }, changed);
            if (once !== null) await remember(tx, once, JSON.stringify(done));
            return done;
          });
        if (stops === undefined) return change();
        const notices = await mutate(mutation, (context) => stops(context, input));
        return stopping(async () => {
          for (const notice of notices) await core.store.publish(notice);
        }, change);
      }),
  };
}

async function read<A extends AnyActor, T>(
  { actor, admins }: { actor: A; admins: true | undefined },
  { core, requestId, onPage = () => undefined, onVersion }: CallRequest,
  run: (context: RunContext<A>) => Promise<T>,
) {
  const nothing = (): void => undefined;
  const context = {
    actor,
    now: nowOf(core),
    core,
    requestId,
    audit: nothing,
    afterCommit: nothing,
    onPage,
    ...(onVersion && { onVersion }),
  };
  try {
    return await core.store.read(actor.tenantId, async (tx) => {
      if (actor.kind === "person") assertMayRead(await roleOf(tx, actor), admins);
      return run({ ...context, tx });
    });
  } catch (error) {
    if (!(error instanceof StaleRollup)) throw error;
    return core.store.write(actor.tenantId, async (tx) => {
      await error.catchUp(tx);
      return run({ ...context, tx });
    });
  }
}

/**
 * Thrown by a read that finds the aging roll-up computed for another day. The gate then repeats the read in a write
 * transaction that calls `catchUp` first; its lock keeps the roll-up unchanged until the read is done.
 */
export class StaleRollup extends Error {
  override readonly name = "StaleRollup";
  readonly catchUp: (tx: Transaction) => Promise<void>;

  constructor(catchUp: (tx: Transaction) => Promise<void>) {
    super("the aging roll-up is of another day");
    this.catchUp = catchUp;
  }
}
