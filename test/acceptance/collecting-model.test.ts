import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { TestClock, testCore } from "../support/core.ts";
import { A_STORE, times } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import type { ModelBook } from "./collecting-model-book.ts";
import { FOUND } from "./collecting-model-found.ts";
import { comparisons, type Step } from "./collecting-model-step.ts";
import { history } from "./collecting-model-steps.ts";
import { openModelWorld } from "./collecting-model-world.ts";

/** `COLLECTING_MODEL_RUNS=500` is the long way; `_SEED`, with `_PATH` for a counterexample, goes the same way again. */
const { COLLECTING_MODEL_RUNS: runs, COLLECTING_MODEL_SEED: seed, COLLECTING_MODEL_PATH: path } = process.env;
const IS_LONG = runs !== undefined;
/** The usual run goes the same way each time; the long way draws new histories. */
const USUAL_SEED = 20_261_123;
const NUM_RUNS = IS_LONG ? Number(runs) : times(3, 60);
/** Draws of a step or a short story each, and how many steps they come to at least. */
const DRAWN = IS_LONG ? { least: 40, draws: [14, 22] as const } : { least: 20, draws: [8, 14] as const };
/** A run takes some three seconds; ten times as long where the machine is busy with something else. */
const TIMEOUT_MS = 240_000 + NUM_RUNS * 30_000;
/** What was found is told before the test's time is over, however small it could still be made. */
const IN_TIME = { interruptAfterTimeLimit: TIMEOUT_MS - 30_000, markInterruptAsFailure: true };

describe.each(A_STORE)("any history of collecting on $name", ({ open }) => {
  const opened = useStore(open);
  let core: Core;
  const clock = new TestClock();
  const errors: string[] = [];
  beforeAll(async () => {
    const plain = testCore(opened.store, clock);
    const patience = { timeoutMs: 20_000, maxNetworkRetries: 0 };
    core = {
      ...plain,
      log: { ...plain.log, error: (_fields, message) => void errors.push(message) },
      payments: paymentProviders({ ...plain, sandboxAt: "https://receivables.example.test", patience }),
    };
  });
  afterAll(async () => {
    if (IS_LONG) process.stdout.write(`${comparisons.count} steps were compared with the model\n`);
  });

  /** A history in a workspace of its own. */
  async function live(steps: Iterable<Step>): Promise<ModelBook> {
    const world = await openModelWorld(core, clock);
    try {
      await fc.asyncModelRun(() => ({ model: world.book, real: world }), steps);
    } finally {
      await world.close();
    }
    // Somebody is to look at money in another currency.
    expect(errors.filter((message) => message !== "payment.currency.refused")).toEqual([]);
    return world.book;
  }

  it.each(FOUND)("ends with a $status receipt where $name [completions.12.model]", async ({ steps, status }) => {
    const { payments } = await live(steps);
    expect(payments.map((one) => one.status)).toEqual([status]);
  });

  it(
    "leaves what a simple model says, after every step [completions.6.model] [completions.12.model] [completions.5.never-exceeds] [facts.store.rollup-kept]",
    async () => {
      await fc.assert(
        fc.asyncProperty(history(DRAWN), async (steps) => void (await live(steps))),
        {
          numRuns: NUM_RUNS,
          ...IN_TIME,
          ...(IS_LONG && seed === undefined ? {} : { seed: Number(seed ?? USUAL_SEED) }),
          ...(path === undefined ? {} : { path }),
        },
      );
    },
    TIMEOUT_MS,
  );
});
