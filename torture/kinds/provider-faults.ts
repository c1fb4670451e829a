import { setTimeout as sleep } from "node:timers/promises";
import type { FaultInput } from "../../src/gateways/payments/stripe-simulator/faults.ts";
import { type Kind, onPostgres } from "../kind.ts";

/** How payment providers fail; of the refusals of a key there are none, for they are final. */
const FAULTS: [FaultInput, ...FaultInput[]] = [
  { mode: "ok", latency_ms: 500 },
  { mode: "500" },
  { mode: "503" },
  { mode: "429" },
  { mode: "drop" },
  { mode: "500_after" },
  { mode: "drop_after" },
  { mode: "hang", times: 1 },
  { mode: "hang_after", times: 1 },
];

/** Payment providers that are slow, silent, broken off or failing, before and after a link was made or withdrawn. */
export default {
  name: "provider-faults",
  does: "the payment provider is slow, hangs, drops and fails, before and after a link was made; two processes",
  run: (options) =>
    onPostgres(options, {
      size: 2,
      async disturb({ world, load, random, tally }) {
        tally.expect({ failed: true });
        let faults = 0;
        while (!load.over) {
          random.pick(world.tenants).stripe.control({ ...random.pick(FAULTS), after: random.between(0, 3) });
          faults += 1;
          await sleep(random.between(200, 1_200));
          random.pick(world.tenants).stripe.control({ mode: "ok" });
        }
        for (const { stripe } of world.tenants) stripe.control({ mode: "ok" });
        tally.notes.push(`${faults} faults`);
      },
    }),
} satisfies Kind;
