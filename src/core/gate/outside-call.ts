import type { z } from "zod";
import {
  deleteIdempotencyRecord,
  type IdempotencyRecord,
  releaseIdempotencyRecord,
  renewIdempotencyRecord,
} from "../../store/idempotency.ts";
import { ServiceError } from "../kernel/error.ts";
import { parseInput } from "../kernel/validation.ts";
import type { Collector } from "./actor.ts";
import { checkedOutput, declaredErrors } from "./checked-output.ts";
import { type Core, nowOf } from "./dependencies.ts";
import type { Face, Operation } from "./face.ts";
import {
  awaitTurn,
  type OnceOnly,
  OUTSIDE_HOLD_MS,
  onceOnly,
  recallReservation,
  remember,
  rememberReservation,
  requireIdempotencyKey,
} from "./idempotency.ts";
import { type Mutation, mutate, recordChange, transact } from "./mutation.ts";
import { assertPermitted } from "./permission.ts";
import type { CallRequest, RunContext } from "./run-context.ts";

/** The steps of an operation with one outside the store. */
interface OutsideSteps<I extends z.ZodType, O extends z.ZodType, R extends z.ZodType, Outcome> {
  /** Schema of a reservation, which is stored with the idempotency key as JSON. */
  readonly reservation: R;
  /** Checks everything and writes the reservation, in the first transaction. */
  reserve(context: RunContext, input: z.output<I>): Promise<z.input<R>>;
  /** What is left to do of an earlier attempt's reservation; null when it was released meanwhile. */
  resume(context: RunContext, reservation: z.output<R>): Promise<z.output<R> | null>;
  /**
   * Does the work outside, with no transaction open; must be idempotent. Rejections are part of the outcome; throwing
   * means that the outcome is unknown, and the reservation stays to be finished.
   */
  act(core: Core, reservation: z.output<R>, onProgress: CallRequest["onProgress"]): Promise<Outcome>;
  /** Makes the effect real in the second transaction. Throws ServiceError where it cannot: then the reservation is released. */
  confirm(context: RunContext, reservation: z.output<R>, outcome: Outcome): Promise<z.output<O>>;
  /** Releases the reservation, in a transaction of its own. */
  release(context: RunContext, reservation: z.output<R>, outcome: Outcome): Promise<void>;
}

/**
 * An operation with a step outside the store: reserve in a transaction → commit → act → confirm in a second one. The
 * reservation is stored under the idempotency key, so that the same request again finishes it (`conflict` while another
 * works on it). `confirm` and `release` tell `audit` whose act it is: a job may end the reservation in the request's place.
 */
export interface OutsideDeclaration<I extends z.ZodType, O extends z.ZodType, R extends z.ZodType, Outcome>
  extends Face<I, O> {
  readonly callers: readonly Collector["kind"][];
  readonly idempotency: true;
  readonly outside: OutsideSteps<I, O, R, Outcome>;
}

/** The gate of such an operation. */
export function callOutside<I extends z.ZodType, O extends z.ZodType, R extends z.ZodType, Outcome>({
  outside,
  ...face
}: OutsideDeclaration<I, O, R, Outcome>): Operation<I, O, Collector> {
  return {
    ...face,
    call: (actor, rawInput, request) =>
      declaredErrors(request.core, face, async () => {
        assertPermitted(face, actor);
        const key = requireIdempotencyKey(request.idempotencyKey);
        const given = parseInput(face.input, rawInput, request.steering);
        const once = onceOnly(actor, face.id, key, given, nowOf(request.core));
        const mutation = { actor, request, operation: face.id, scope: face.scope };
        return new Attempt(outside, face.output, mutation, once).carryOut(given);
      }),
  };
}

const holdFrom = (now: string) => new Date(Date.parse(now) + OUTSIDE_HOLD_MS).toISOString();

/** One request's steps. */
class Attempt<I extends z.ZodType, O extends z.ZodType, R extends z.ZodType, Outcome> {
  readonly #declared: OutsideSteps<I, O, R, Outcome>;
  readonly #output: O;
  readonly #mutation: Mutation<Collector>;
  readonly #once: OnceOnly;
  /** Until when this request holds the reservation. */
  #heldUntil: string | null = null;

  constructor(declared: OutsideSteps<I, O, R, Outcome>, output: O, mutation: Mutation<Collector>, once: OnceOnly) {
    this.#declared = declared;
    this.#output = output;
    this.#mutation = mutation;
    this.#once = once;
  }

  async carryOut(input: z.output<I>): Promise<z.output<O>> {
    const begun = await this.#begin(input);
    if ("answer" in begun) return begun.answer;
    const outcome = await this.#act(begun.reservation);
    try {
      return await this.#confirm(begun.reservation, outcome);
    } catch (error) {
      const isFinal = error instanceof ServiceError || this.#mutation.request.signal?.aborted === true;
      if (isFinal) await this.#release(begun.reservation, outcome);
      else await this.#endHold(begun.reservation);
      throw error;
    }
  }

  /** The reservation to work on, new or of an earlier attempt; or the answer, where there is one. */
  #begin(input: z.output<I>): Promise<{ answer: z.output<O> } | { reservation: z.output<R> }> {
    return mutate(this.#mutation, async (context) => {
      const known = await recallReservation(context.tx, this.#once);
      if (known.state === "answered") return { answer: this.#replay(known.response) };
      const { reservation: schema } = this.#declared;
      const earlier = known.state === "reserved" ? schema.parse(JSON.parse(known.reservation)) : null;
      const standing = earlier === null ? null : await this.#declared.resume(context, earlier);
      const reservation = standing ?? schema.parse(await this.#declared.reserve(context, input));
      const heldUntil = holdFrom(context.now);
      await rememberReservation(context.tx, this.#once, { reservation: JSON.stringify(reservation), heldUntil });
      this.#heldUntil = heldUntil;
      return { reservation };
    });
  }

  async #act(reservation: z.output<R>) {
    const { core, onProgress } = this.#mutation.request;
    const hold = this.#keepHold();
    try {
      return await this.#declared.act(core, reservation, onProgress);
    } catch (error) {
      await hold.end();
      await this.#endHold(reservation);
      throw error;
    } finally {
      await hold.end();
    }
  }

  /** Renews the hold while the request works and its caller is connected, so that a stopped one holds it for seconds only. */
  #keepHold() {
    const { request, actor, operation } = this.#mutation;
    const { core, signal } = request;
    const renew = async () => {
      const [heldUntil, now] = [this.#heldUntil, nowOf(core)];
      if (heldUntil === null || signal?.aborted === true) return;
      const until = holdFrom(now);
      const kept = await core.store.write(actor.tenantId, (tx) =>
        renewIdempotencyRecord(tx, this.#once.scope, { heldUntil, now, until }),
      );
      if (kept) this.#heldUntil = until;
    };
    let renewing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      renewing = renewing
        .then(renew)
        .catch((error: unknown) => core.log.warn({ err: error, operation }, "request.hold.not_renewed"));
    }, OUTSIDE_HOLD_MS / 4);
    return {
      end() {
        clearInterval(timer);
        return renewing;
      },
    };
  }

  #confirm(reservation: z.output<R>, outcome: Outcome): Promise<z.output<O>> {
    return mutate(this.#mutation, async (context) => {
      const answered = (await awaitTurn(context.tx, this.#once))?.response ?? null;
      if (answered !== null) return this.#replay(answered);
      const confirmed = await this.#declared.confirm(context, reservation, outcome);
      const done = checkedOutput(context.core, this.#output, confirmed);
      await recordChange(context, this.#mutation.operation);
      await remember(context.tx, this.#once, JSON.stringify(done));
      return done;
    });
  }

  /**
   * Needs no authority, so that a caller who lost access leaves no reservation. Does nothing when another request of the same
   * key (as by another API key after a rotation) has gone on with it.
   */
  #release(reservation: z.output<R>, outcome: Outcome) {
    return transact(this.#mutation, async (context) => {
      const record = await awaitTurn(context.tx, this.#once);
      if (record !== undefined && (record.response !== null || this.#isHeldByAnother(record, context.now))) return;
      await this.#declared.release(context, reservation, outcome);
      await recordChange(context, this.#mutation.operation);
      await deleteIdempotencyRecord(context.tx, this.#once.scope, JSON.stringify(reservation));
    });
  }

  #isHeldByAnother({ held_until: heldUntil }: IdempotencyRecord, now: string) {
    return heldUntil !== null && heldUntil !== this.#heldUntil && heldUntil > now;
  }

  /** Where even this fails, the hold runs out by itself. */
  async #endHold(reservation: z.output<R>) {
    const { request, operation } = this.#mutation;
    await transact(this.#mutation, ({ tx }) =>
      releaseIdempotencyRecord(tx, this.#once.scope, JSON.stringify(reservation)),
    ).catch((error: unknown) => request.core.log.warn({ err: error, operation }, "request.hold.not_ended"));
  }

  #replay(response: string): z.output<O> {
    this.#mutation.request.onReplay?.();
    return this.#output.parse(JSON.parse(response));
  }
}
