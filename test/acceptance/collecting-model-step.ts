import fc from "fast-check";
import { ServiceError } from "../../src/core/kernel/error.ts";
import type { ModelBook } from "./collecting-model-book.ts";
import { compare } from "./collecting-model-compare.ts";
import { settleEmails } from "./collecting-model-mails.ts";
import type { ModelWorld } from "./collecting-model-world.ts";

type Run = (world: ModelWorld) => Promise<void>;

/** How often each world was compared. */
const compared = new WeakMap<ModelWorld, number>();
/** How often all of them were. */
export const comparisons = { count: 0 };

export type Step = fc.AsyncCommand<ModelBook, ModelWorld>;

/** A step at a moment of its own, after which everything is compared. */
export function step(words: string, run: Run): Step {
  return {
    check: () => true,
    async run(book, world) {
      world.clock.advance(1_000);
      book.now = world.clock.now().getTime();
      await run(world);
      settleEmails(book);
      const turn = compared.get(world) ?? 0;
      await compare(world, turn).catch((error: unknown) => {
        if (error instanceof Error) error.message += `\nafter step ${turn + 1}: ${words}`;
        throw error;
      });
      compared.set(world, turn + 1);
      comparisons.count += 1;
    },
    toString: () => words,
  };
}

/** One of a list, 0 being the latest; undefined of none. */
export const pick = <T>(list: readonly T[], index: number): T | undefined =>
  list.at(-1 - (index % Math.max(1, list.length)));

/** Mostly one of the latest, so that steps meet on what others left. */
export const latest = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 1 }) },
  { weight: 1, arbitrary: fc.nat({ max: 20 }) },
);

/** Null when it went well, else the code of the refusal. */
export const codeOf = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error: unknown) => {
      if (error instanceof ServiceError) return error.code;
      throw error;
    },
  );

/** What Stripe does to every request meanwhile. */
export type StripeFault = "ok" | "drop" | "drop_after" | "401";

/** Mostly none. */
export const stripeFault = fc.oneof(
  { weight: 6, arbitrary: fc.constant("ok" as const) },
  { weight: 3, arbitrary: fc.constantFrom("drop", "drop_after", "401") },
);

/** Does something while Stripe is so. */
export async function withStripe<T>({ stripe }: ModelWorld, mode: StripeFault, work: () => Promise<T>): Promise<T> {
  stripe.control({ mode });
  try {
    return await work();
  } finally {
    stripe.control({ mode: "ok" });
  }
}

/** A call as the API would make it. */
export const request = ({ core }: ModelWorld, idempotencyKey: string) => ({
  core,
  requestId: "req_model",
  idempotencyKey,
});
