import { setTimeout as sleep } from "node:timers/promises";
import { operate } from "../../src/core/gate/operator.ts";
import { pushFailedPayments } from "../../src/core/payments/operations/push-failed-payments.ts";
import { PAGE_MODES } from "../../src/simulators/fusion/faults.ts";
import type { ControlInput } from "../../src/simulators/fusion/index.ts";
import { type Kind, onPostgres } from "../kind.ts";

/** How ERPs fail; a few requests hang, for each is waited for up to the connector's patience. */
const FAULTS: [ControlInput, ...ControlInput[]] = [
  { mode: "ok", latency_ms: 400 },
  { mode: "500" },
  { mode: "500", when: "after-effect" },
  { mode: "503", retry_after: 1 },
  { mode: "429", retry_after: 0 },
  { mode: "401", times: 2 },
  { mode: "drop" },
  { mode: "drop", when: "after-effect" },
  ...PAGE_MODES.flatMap((mode) => [{ mode }, { mode, when: "after-effect" } as const]),
  { mode: "cut" },
  { mode: "hang", times: 1 },
  { mode: "hang", when: "after-effect", times: 1 },
];

/** ERPs that are slow, silent, broken off or failing, before and after they did what they were asked. */
export default {
  name: "erp-faults",
  does: "the ERP is slow, hangs, drops, cuts off, fails and is hidden by pages, before and after it did what it was asked; two processes",
  run: (options) =>
    onPostgres(options, {
      size: 2,
      // Receipts that met a refusal of the password wait for somebody to push them again.
      mend: (core, { id, connectionId }) => operate(core, id, pushFailedPayments, { connectionId: connectionId }),
      async disturb({ world, load, random, tally }) {
        let faults = 0;
        while (!load.over) {
          random.pick(world.tenants).erp.control({ ...random.pick(FAULTS), after: random.between(0, 3) });
          faults += 1;
          await sleep(random.between(200, 1_500));
          random.pick(world.tenants).erp.control({ mode: "ok" });
        }
        for (const { erp } of world.tenants) erp.control({ mode: "ok" });
        tally.notes.push(`${faults} faults`);
      },
    }),
} satisfies Kind;
