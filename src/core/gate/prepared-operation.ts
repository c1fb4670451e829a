import type { z } from "zod";
import { parseInput } from "../kernel/validation.ts";
import type { ActorKind, ActorOf, AnyActor } from "./actor.ts";
import { checkedOutput, declaredErrors } from "./checked-output.ts";
import { type Core, nowOf } from "./dependencies.ts";
import { onceOnly, requireIdempotencyKey } from "./idempotency.ts";
import { mutate } from "./mutation.ts";
import { type ChangeOptions, type Face, type Operation, write } from "./operation.ts";
import { assertPermitted } from "./permission.ts";
import type { CallRequest, RunContext } from "./run-context.ts";

interface Preparation<A extends AnyActor> {
  readonly actor: A;
  readonly core: Core;
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal | undefined;
}

interface Declaration<K extends ActorKind, I extends z.ZodType, O extends z.ZodType, P>
  extends Omit<Face<I, O>, "idempotency">,
    ChangeOptions<ActorOf<K>, z.output<I>> {
  readonly callers: readonly K[];
  /**
   * What makes two requests of one name the same, without secrets, of which no digest is kept: it is carried out once for a
   * caller who names the request.
   */
  readonly once?: (input: z.output<I>) => unknown;
  /** Runs with no transaction open, and writes nothing but steps that are right by themselves. Throws ServiceError for what cannot be done. */
  prepare(call: Preparation<ActorOf<K>>, input: z.output<I>): Promise<P>;
  run(context: RunContext<ActorOf<K>>, input: z.output<I>, prepared: P): Promise<z.output<O>>;
}

/**
 * A mutation with slow work before its transaction, once the caller's authority is checked: hashing a password, a request to
 * an ERP or a payment provider.
 */
export function preparedOperation<K extends ActorKind, I extends z.ZodType, O extends z.ZodType, P>(
  declaration: Declaration<K, I, O, P>,
): Operation<I, O, ActorOf<K>> {
  const { prepare, run, stops, once, allTenants = false, ...face } = declaration;
  const revive = (json: string) => face.output.parse(JSON.parse(json));
  const nameOf = (actor: AnyActor, input: z.output<I>, { core, idempotencyKey }: CallRequest) => {
    if (once === undefined || idempotencyKey === undefined) return null;
    const key = requireIdempotencyKey(idempotencyKey);
    return { ...onceOnly(actor, face.id, key, once(input), nowOf(core)), revive };
  };
  return {
    ...face,
    call: (actor, rawInput, request) =>
      declaredErrors(request.core, face, async () => {
        assertPermitted(face, actor);
        const input = parseInput(face.input, rawInput, request.steering);
        const mutation = { actor, request, operation: face.id, scope: face.scope, allTenants };
        await mutate(mutation, async () => undefined);
        const prepared = await prepare({ actor, core: request.core, signal: request.signal }, input);
        return write({
          mutation,
          once: nameOf(actor, input, request),
          stops: stops === undefined ? null : (context) => stops(context, input),
          run: async (context) => checkedOutput(request.core, face.output, await run(context, input, prepared)),
        });
      }),
  };
}
