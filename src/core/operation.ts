import type { z } from "zod";
import type { Actor, Permission, Scope } from "./actor.ts";
import { recordAudit } from "./audit.ts";
import { Behind } from "./behind.ts";
import { checkedOutput } from "./checked-output.ts";
import { nowOf } from "./core.ts";
import { ServiceError } from "./error.ts";
import { type OnceOnly, onceOnly, recall, remember, requireIdempotencyKey } from "./idempotency.ts";
import { assistantsOnlyRead, lackingScope, mutate } from "./mutation.ts";
import type { CallRequest, RunContext } from "./run-context.ts";
import { parseInput } from "./validation.ts";

export type { CallRequest, RunContext } from "./run-context.ts";

interface Declaration<I extends z.ZodType, O extends z.ZodType> {
  /** The operationId of the REST API and the name in the audit trail. */
  readonly id: string;
  /** `readonly`: no side effects, any caller. `admin`: completions §1. */
  readonly permission: Permission;
  /** The scope an assistant needs; null keeps the operation off the assistant route (completions §3). */
  readonly scope: Scope | null;
  /** One sentence, shown in the API description and to assistants. */
  readonly sideEffects: string;
  /** Carried out once per key of a caller (service.md §8): the key is required. */
  readonly idempotency?: true;
  readonly input: I;
  readonly output: O;
  run(context: RunContext, input: z.output<I>): Promise<z.output<O>>;
}

/** One thing the service can do, declared once; every route is a face of it (ARCHITECTURE.md). */
export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType>
  extends Omit<Declaration<I, O>, "run"> {
  /**
   * The only door into the core, and always in this order: permission, idempotency key, input, transaction, authority
   * again for a mutation, the answer of an earlier request, `run`, audit entry. Throws ServiceError for what a caller did
   * wrong.
   */
  call(actor: Actor, input: unknown, request: CallRequest): Promise<z.output<O>>;
}

export function operation<I extends z.ZodType, O extends z.ZodType>(declaration: Declaration<I, O>): Operation<I, O> {
  const { run, ...face } = declaration;
  const execute = declaration.permission === "readonly" ? read : write;
  return {
    ...face,
    async call(actor, rawInput, request) {
      assertPermitted(declaration, actor);
      const key = declaration.idempotency ? requireIdempotencyKey(request.idempotencyKey) : null;
      const input = parseInput(declaration.input, rawInput, request.steering);
      return execute(actor, request, {
        id: declaration.id,
        scope: declaration.scope,
        once: key === null ? null : onceOnly(actor, declaration.id, key, input, nowOf(request.core)),
        run: async (context) => checkedOutput(request.core, declaration.output, await run(context, input)),
        revive: (json) => declaration.output.parse(JSON.parse(json)),
      });
    },
  };
}

interface Work<T> {
  id: string;
  scope: Scope | null;
  once: OnceOnly | null;
  run(context: RunContext): Promise<T>;
  /** Reads an earlier answer. */
  revive(json: string): T;
}

async function read<T>(actor: Actor, { core, requestId }: CallRequest, { run }: Work<T>): Promise<T> {
  const nothing = (): void => undefined;
  const context = { actor, now: nowOf(core), core, requestId, audit: nothing, afterCommit: nothing };
  try {
    return await core.store.read(actor.tenantId, (tx) => run({ ...context, tx }));
  } catch (error) {
    if (!(error instanceof Behind)) throw error;
    return core.store.write(actor.tenantId, async (tx) => {
      await error.catchUp(tx);
      return run({ ...context, tx });
    });
  }
}

function write<T>(actor: Actor, request: CallRequest, { id, scope, once, run, revive }: Work<T>): Promise<T> {
  return mutate({ actor, request, operation: id, scope }, async (context) => {
    const { tx, core, requestId } = context;
    const earlier = once === null ? null : await recall(tx, once);
    if (earlier !== null) {
      request.onReplay?.();
      return revive(earlier);
    }
    const done = await run(context);
    const { type: objectType = null, id: objectId = null } = context.audited() ?? {};
    await recordAudit(tx, core, { actor, operation: id, objectType, objectId, requestId, outcome: "succeeded" });
    if (once !== null) await remember(tx, once, JSON.stringify(done));
    return done;
  });
}

/** Throws `permission_denied` unless the actor may call the operation (service.md §5.2, completions §1–2). */
export function assertPermitted(declared: Pick<Operation, "permission" | "scope">, actor: Actor): void {
  if (actor.kind === "api_key") {
    if (declared.permission === "admin" && actor.permission !== "admin")
      throw new ServiceError("permission_denied", "This operation needs an admin key.");
    return;
  }
  if (declared.scope === null) throw lackingScope(null);
  if (declared.permission === "admin" && actor.role !== "admin")
    throw new ServiceError("permission_denied", "This operation needs a workspace admin.");
  if (actor.readsOnly && declared.permission === "admin") throw assistantsOnlyRead();
  if (!actor.scopes.includes(declared.scope)) throw lackingScope(declared.scope);
}
