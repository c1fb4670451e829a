import type { z } from "zod";
import { lockConnectionAuthority, lockKeyAuthority } from "../store/authority.ts";
import type { Transaction } from "../store/store.ts";
import type { Actor, Permission, Scope } from "./actor.ts";
import { recordAudit } from "./audit.ts";
import { type Core, nowOf } from "./core.ts";
import { ServiceError } from "./error.ts";
import { type OnceOnly, onceOnly, recall, remember, requireIdempotencyKey } from "./idempotency.ts";
import { parseInput } from "./validation.ts";

/** What `run` works with. Only `tx` reaches the store, and it is the caller's tenant's. */
export interface RunContext {
  readonly actor: Actor;
  readonly tx: Transaction;
  /** The instant of the call, ISO 8601 UTC. */
  readonly now: string;
  readonly core: Core;
  readonly requestId: string;
  /** Names what a mutation changed, for its audit entry. */
  audit(object: AuditedObject): void;
  /** Does something once a mutation is committed, such as telling other processes; what fails there is only logged. */
  afterCommit(work: () => Promise<void>): void;
}

interface AuditedObject {
  type: string;
  id: string;
}

/** The request a call comes in: its id (echoed in errors), and the signal that stops it when access is withdrawn. */
export interface CallRequest {
  readonly core: Core;
  readonly requestId: string;
  readonly signal?: AbortSignal;
  /** The caller's name for the request, where the operation takes one. */
  readonly idempotencyKey?: string | undefined;
  /** Told when the answer is that of an earlier request with the same key. */
  readonly onReplay?: () => void;
}

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
  run(context: RunContext, input: z.output<I>): Promise<z.input<O>>;
}

/** One thing the service can do, declared once; every route is a face of it (ARCHITECTURE.md). */
export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType>
  extends Omit<Declaration<I, O>, "run"> {
  /**
   * The only door into the core, and always in this order: permission, idempotency key, input, transaction, authority
   * again for a mutation, the answer of an earlier request, `run`, output, audit entry. Throws ServiceError for what a
   * caller did wrong.
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
      const input = parseInput(declaration.input, rawInput);
      return execute(actor, request, {
        id: declaration.id,
        once: key === null ? null : onceOnly(actor, declaration.id, key, input, nowOf(request.core)),
        run: async (context) => declaration.output.parse(await run(context, input)),
        revive: (json) => declaration.output.parse(JSON.parse(json)),
      });
    },
  };
}

interface Work<T> {
  id: string;
  once: OnceOnly | null;
  run(context: RunContext): Promise<T>;
  /** Reads an earlier answer. */
  revive(json: string): T;
}

function read<T>(actor: Actor, { core, requestId }: CallRequest, { run }: Work<T>): Promise<T> {
  const nothing = (): void => undefined;
  const context = { actor, now: nowOf(core), core, requestId, audit: nothing, afterCommit: nothing };
  return core.store.read(actor.tenantId, (tx) => run({ ...context, tx }));
}

async function write<T>(actor: Actor, request: CallRequest, { id, once, run, revive }: Work<T>): Promise<T> {
  const { core, requestId, signal } = request;
  const afterwards: (() => Promise<void>)[] = [];
  const result = await core.store.write(actor.tenantId, async (tx) => {
    await assertStillAuthorized(tx, actor);
    const earlier = once === null ? null : await recall(tx, once);
    if (earlier !== null) {
      request.onReplay?.();
      return revive(earlier);
    }
    let object: AuditedObject | undefined;
    const audit = (changed: AuditedObject): void => {
      object = changed;
    };
    const afterCommit = (work: () => Promise<void>): void => void afterwards.push(work);
    const done = await run({ actor, tx, now: nowOf(core), core, requestId, audit, afterCommit });
    const { type: objectType = null, id: objectId = null } = object ?? {};
    await recordAudit(tx, core, { actor, operation: id, objectType, objectId, requestId, outcome: "succeeded" });
    if (once !== null) await remember(tx, once, JSON.stringify(done));
    signal?.throwIfAborted();
    return done;
  });
  for (const work of afterwards)
    await work().catch((error: unknown) => core.log.warn({ err: error, operation: id }, "work after a commit failed"));
  return result;
}

/** Throws `permission_denied` unless the actor may call the operation (service.md §5.2, completions §1–2). */
export function assertPermitted(declared: Pick<Operation, "permission" | "scope">, actor: Actor): void {
  if (actor.kind === "api_key") {
    if (declared.permission === "admin" && actor.permission !== "admin")
      throw new ServiceError("permission_denied", "This operation needs an admin key.");
    return;
  }
  if (declared.scope === null) throw new ServiceError("permission_denied", "Assistants cannot call this operation.");
  if (declared.permission === "admin" && actor.role !== "admin")
    throw new ServiceError("permission_denied", "This operation needs a workspace admin.");
  if (!actor.scopes.includes(declared.scope))
    throw new ServiceError("permission_denied", `This connection lacks the scope ${declared.scope}.`, {
      missingScope: declared.scope,
    });
}

/** A mutation believes only what it reads, and holds, in its own transaction: access may have ended since sign-in. */
async function assertStillAuthorized(tx: Transaction, actor: Actor): Promise<void> {
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
}
