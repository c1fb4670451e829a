import { setTimeout as sleep } from "node:timers/promises";
import {
  correctWrong,
  findWrong,
  type RebuildSlice,
  rebuildCustomers,
  rebuildInvoices,
  SUMS,
} from "../../store/aging/rebuild.ts";
import type { Core } from "../gate/dependencies.ts";
import { type StepContext, type WorkStep, workStep } from "../gate/work-step.ts";
import { advanceRollup } from "./advance-rollups.ts";

/** How long one slice is to hold the workspace's writers. A smaller one than the least holds them hardly shorter. */
const HOLD_MS = 30;
const LEAST = 25;
const MOST = 250;
/** Wrong sums that one transaction puts right. */
const SUMS_AT_ONCE = 200;

const slicesOf = (rebuild: (tx: StepContext["tx"], tenantId: string, slice: RebuildSlice) => Promise<string | null>) =>
  workStep({
    name: "rebuildAging",
    run: ({ tx, actor: { tenantId } }, slice: RebuildSlice) => rebuild(tx, tenantId, slice),
  });

const ofInvoices = slicesOf(rebuildInvoices);
const ofCustomers = slicesOf(rebuildCustomers);

type Sums = (typeof SUMS)[number];

const ofSums = workStep({
  name: "rebuildAging",
  run: ({ tx, actor: { tenantId } }, { sums, wrong }: { sums: Sums; wrong: Awaited<ReturnType<typeof findWrong>> }) =>
    correctWrong(tx, tenantId, sums, wrong),
});

/**
 * Computes a workspace's whole roll-up again while its writers go on: what is kept of invoices and customers in slices, each a
 * transaction that holds writers for a moment; then the sums, which are compared in a snapshot and moved by what they are wrong.
 */
export async function rebuildInSlices(core: Core, tenantId: string, signal: AbortSignal | undefined): Promise<void> {
  // Built, where it is not; and brought to today.
  await advanceRollup(core, tenantId, null);
  await inSlices(core, tenantId, ofInvoices, signal);
  for (const sums of SUMS) {
    const found = await core.store.patient.read(tenantId, (tx) => findWrong(tx, tenantId, sums));
    const most = Math.max(...found.map(({ length }) => length));
    for (let at = 0; at < most; at += SUMS_AT_ONCE) {
      const wrong = found.map((errors) => errors.slice(at, at + SUMS_AT_ONCE));
      await ofSums(core, tenantId, { sums, wrong }, signal);
    }
    if (sums === SUMS[0]) await inSlices(core, tenantId, ofCustomers, signal);
  }
}

async function inSlices(
  core: Core,
  tenantId: string,
  step: WorkStep<RebuildSlice, string | null>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let size = LEAST;
  let after: string | null = null;
  do {
    const begun = performance.now();
    after = await step(core, tenantId, { after, size }, signal);
    const tookMs = performance.now() - begun;
    // A writer that has waited is slower to take the lock than the next slice would be: it gets as much time.
    if (after !== null) await sleep(tookMs);
    const fitting = Math.round((size * HOLD_MS) / tookMs);
    size = Math.max(LEAST, Math.min(fitting, size * 2, MOST));
  } while (after !== null);
}
