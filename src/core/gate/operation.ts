import type { z } from "zod";
import { roleOf } from "../../store/identity/authority.ts";
import type { Notice, Transaction } from "../../store/store.ts";
import type { ErrorCode } from "../kernel/error.ts";
import { parseInput } from "../kernel/validation.ts";
import type { Actor, ActorKind, ActorOf, AnyActor, Permission, Scope } from "./actor.ts";
import { recordDone } from "./audit.ts";
import { checkedOutput, declaredErrors } from "./checked-output.ts";
import { nowOf } from "./dependencies.ts";
import { onceOnly, recall, remember, requireIdempotencyKey } from "./idempotency.ts";
import { mutate } from "./mutation.ts";
import { assertMayRead, assertPermitted } from "./permission.ts";
import type { CallRequest, RunContext } from "./run-context.ts";
import { stopping } from "./stopping.ts";

// What declarations are made of comes with what declares them.
export * from "./actor.ts";
export * from "./dependencies.ts";
export type * from "./run-context.ts";

/** An operation's declaration without its code. */
export interface Face<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** The operationId of the REST API and the name in the audit trail. */
  readonly id: string;
  /** Its heading in the API's description; none for what only people, operators or jobs call. */
  readonly tag?: Tag;
  /** A few words, such as `List invoices`. */
  readonly summary: string;
  /** More for callers, in Markdown. */
  readonly description?: string;
  /** Codes of service.md §7 besides those that any operation, list or body can cause. */
  readonly errors?: readonly ErrorCode[];
  /** The kinds of actors that may call it; nobody else can (completions §1). */
  readonly callers: readonly ActorKind[];
  /** `readonly`: no side effects, any of the callers. `admin`: completions §1. */
  readonly permission: Permission;
  /** A read for admins only, where a person calls it. */
  readonly admins?: true;
  /** The scope an assistant needs; null keeps the operation off the assistant route (completions §3). */
  readonly scope: Scope | null;
  /** One sentence, shown in the API description and to assistants. */
  readonly sideEffects: string;
  /** Carried out once per key of a caller (service.md §8): the key is required. */
  readonly idempotency?: true;
  readonly input: I;
  readonly output: O;
}

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

/** One thing the service can do, declared once; every route is a face of it (ARCHITECTURE.md). */
export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, A extends AnyActor = Actor>
  extends Face<I, O> {
  /**
   * The gate, always in this order: caller, permission, idempotency key, input, transaction, authority again for a mutation,
   * the answer of an earlier request, `run`, output, audit entry. Throws ServiceError for a caller's mistakes.
   */
  readonly call: (actor: A, input: unknown, request: CallRequest) => Promise<z.output<O>>;
}

export function operation<K extends ActorKind, I extends z.ZodType, O extends z.ZodType, P = never>(
  declaration: Declaration<K, I, O, P>,
): Operation<I, O, ActorOf<K>>;
export function operation<K extends ActorKind, I extends z.ZodType, O extends z.ZodType>(
  declaration: Declaration<K, I, O, unknown>,
): Operation<I, O, ActorOf<K>> {
  const { run, prepare, stops, once: named, allTenants = false, ...face } = declaration;
  const { id, scope, output } = face;
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
        const mutation = { actor, request, operation: id, scope, allTenants };
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
  { core, requestId, onPage = () => undefined }: CallRequest,
  run: (context: RunContext<A>) => Promise<T>,
): Promise<T> {
  const nothing = (): void => undefined;
  const context = { actor, now: nowOf(core), core, requestId, audit: nothing, afterCommit: nothing, onPage };
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

/** The headings of the API's description, with the text of each. */
export const TAGS = {
  Workspace: "Whose key this is and what it may do.",
  Invoices: "Invoices synced from the ERP or made in the service, with their installments and collection state.",
  "Payment links": "Pages a customer pays an installment at, and the providers behind them.",
  Payments: "Payments that a provider confirmed, and the write-back of their receipts to the ERP.",
  "ERP connections": "Connections to ERP systems and the runs that pull from them.",
  Tasks: "What waits for a person.",
  Workflows: "What runs by itself after a delivery, and what it did.",
  Aging: "Installment-level aging of what is owed now, on the workspace's business day.",
} as const;
type Tag = keyof typeof TAGS;
