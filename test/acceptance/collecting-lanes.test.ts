import { afterAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { type Random, seededRandom } from "../../src/simulators/fusion/random.ts";
import { everythingOf } from "../support/collecting.ts";
import { TestClock, testCore } from "../support/core.ts";
import type { TestStore } from "../support/stores.ts";
import { A_STORE, times } from "../support/thorough.ts";
import { allJobs, lane, notify } from "./collecting-lanes-acts.ts";
import { compare, expectNobodyWaits } from "./collecting-lanes-compare.ts";
import { enterByHand } from "./collecting-lanes-quiet.ts";
import { type LanesWorld, openLanesWorld } from "./collecting-lanes-world.ts";

/** `COLLECTING_LANES_ROUNDS=500` is the long way; `COLLECTING_LANES_SEED` draws the same acts again. */
const { COLLECTING_LANES_ROUNDS: rounds, COLLECTING_LANES_SEED: seeded } = process.env;
const ROUNDS = rounds === undefined ? times(2, 40) : Number(rounds);
const SEED = Number(seeded ?? (rounds === undefined ? 20_261_126 : Date.now() % 2 ** 31));
const ACTS_OF_A_LANE = 20;
/** Rounds in one workspace: its payments grow in number, and each is compared every time. */
const ROUNDS_OF_A_WORLD = 12;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Nothing waits longer for a lease that nobody holds. */
const SOON = [SECOND, 4 * SECOND] as const;
/** The documented pauses: a reservation's two minutes, a receipt's fifteen, a refused withdrawal's hour. */
const PAUSES = [3 * MINUTE, 16 * MINUTE, 61 * MINUTE] as const;
/** An applied receipt is looked at again when it is older by this part of its age: no balance may have told of what befell it. */
const NEXT_LOOK = 0.11;
const DAY = 24 * 60 * MINUTE;

describe.each(A_STORE)("two lanes of work at once on $name", ({ open }) => {
  const clock = new TestClock();
  const errors: string[] = [];
  let acts = 0;
  afterAll(() => {
    if (rounds !== undefined) process.stdout.write(`${acts} acts of two lanes were compared, seed ${SEED}\n`);
  });

  function coreOn({ store }: TestStore): Core {
    const plain = testCore(store, clock);
    const patience = { timeoutMs: 20_000, maxNetworkRetries: 0 };
    const error = (fields: object, message: string): void =>
      void errors.push(`${message} ${String(Reflect.get(fields, "err"))}`);
    return {
      ...plain,
      log: { ...plain.log, error },
      payments: paymentProviders({ ...plain, sandboxAt: "https://receivables.example.test", patience }),
    };
  }

  /** Faults end, what was held back is told in part, and the jobs see to the rest. */
  async function quiet(world: LanesWorld, draws: Random): Promise<void> {
    world.erp.control({ mode: "ok" });
    world.stripe.control({ mode: "ok" });
    Object.assign(world.weather, { mail: true, hidden: false });
    for (const bill of world.bills) world.tellErp(Object.assign(bill, { readable: true }));
    await world.mendConnection();
    for (const event of world.stripe.events) if (draws.chance(10)) await notify(world, event, draws);
    for (const pause of SOON) {
      clock.advance(pause);
      await allJobs(world, draws);
    }
    expect(errors, "what was logged as an error").toEqual([]);
    await expectNobodyWaits(world);
    const age = clock.now().getTime() - Date.parse(world.openedAt);
    for (const pause of [...PAUSES, Math.ceil(NEXT_LOOK * age) + 60 * MINUTE, SECOND, SECOND]) {
      clock.advance(pause);
      await allJobs(world, draws);
    }
  }

  async function world(seed: number, some: number): Promise<void> {
    // A store of its own, for the jobs of one are those of all workspaces.
    const opened = await open();
    const core = coreOn(opened);
    const made = await openLanesWorld(core, clock);
    const draws = seededRandom(seed);
    try {
      const beside = await everythingOf(core, made.besideId);
      for (let round = 0; round < some; round += 1) {
        const lanes = [seededRandom(draws.between(0, 2 ** 31)), seededRandom(draws.between(0, 2 ** 31))];
        await Promise.all(lanes.map((own) => lane(made, own, ACTS_OF_A_LANE)));
        acts += ACTS_OF_A_LANE * lanes.length;
        await quiet(made, draws);
        expect(errors, "what was logged as an error").toEqual([]);
        await compare(made);
        expect(await everythingOf(core, made.besideId), "the workspace beside").toEqual(beside);
        await enterByHand(made, draws);
        if (draws.chance(40)) clock.advance(DAY);
      }
    } finally {
      await made.close();
      await opened.remove();
    }
  }

  it(
    "leaves what Stripe, the ERP and the mailboxes tell, once they rest [completions.12.lanes]",
    async () => {
      for (let done = 0; done < ROUNDS; done += ROUNDS_OF_A_WORLD) {
        const seed = (SEED + done) >>> 0;
        await world(seed, Math.min(ROUNDS_OF_A_WORLD, ROUNDS - done)).catch((error: unknown) => {
          if (error instanceof Error) error.message += `\nCOLLECTING_LANES_SEED=${seed} (of ${acts} acts)`;
          throw error;
        });
      }
    },
    120_000 + ROUNDS * 30_000,
  );
});
