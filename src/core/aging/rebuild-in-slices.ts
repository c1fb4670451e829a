import { setTimeout as sleep } from "node:timers/promises";
import type { BookPart } from "../../store/aging/book-parts.ts";
import { type Found, findWrongCustomers, findWrongInvoices, findWrongSums } from "../../store/aging/find-wrong.ts";
import {
  lockedDay,
  rebuildCustomers,
  rebuildInvoices,
  rebuildSums,
  SUMS,
  type Wrong,
} from "../../store/aging/rebuild.ts";
import { CUSTOMER_SUMS } from "../../store/aging/wrong-sums.ts";
import type { Core } from "../gate/dependencies.ts";
import { type StepContext, type WorkStep, workStep } from "../gate/work-step.ts";
import { advanceRollup } from "./advance-rollups.ts";

/** How many are looked at in one snapshot. */
const AT_ONCE = 2_000;
/** How long one transaction may block the workspace's writers, and how many differences it repairs. */
const HOLD_MS = 30;
const FIRST = 10;
const SMALLEST_SLICE = 5;
const LARGEST_SLICE = 100;

type Tx = StepContext["tx"];

/** Repairs some differences; answers how long that blocked writers, in milliseconds. */
type Repair<T> = WorkStep<readonly T[], number>;

const repairing = <T>(rebuild: (tx: Tx, wrong: Wrong<T>) => Promise<void>): Repair<T> =>
  workStep({
    name: "rebuildAging",
    async run({ tx, actor: { tenantId } }, wrong: readonly T[]) {
      const day = await lockedDay(tx, tenantId);
      const begun = performance.now();
      await rebuild(tx, { tenantId, day, wrong });
      return performance.now() - begun;
    },
  });

const ofInvoices = repairing(rebuildInvoices);
const ofCustomers = repairing(rebuildCustomers);
const ofSums = SUMS.map((sums) => ({ sums, repair: repairing(rebuildSums(sums)) }));

/** The workspace whose roll-up is rebuilt. */
interface Rebuilding {
  readonly core: Core;
  readonly tenantId: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Computes a workspace's whole roll-up again while its writers go on. Snapshots, which block nobody, find the differences; these
 * stay until they are repaired, because writers change a book and its roll-up together. Only the repair blocks writers, briefly.
 */
export async function rebuildInSlices(core: Core, tenantId: string, signal: AbortSignal | undefined) {
  const rebuilding = { core, tenantId, signal };
  // Built, where it is not; and brought to today.
  await advanceRollup(core, tenantId, null);
  await repairSlices(rebuilding, findWrongInvoices, ofInvoices);
  for (const { sums, repair } of ofSums) {
    const wrong = await core.store.patient.read(tenantId, (tx) => findWrongSums(tx, tenantId, sums));
    await repairAll(rebuilding, wrong, repair);
    if (sums === CUSTOMER_SUMS) await repairSlices(rebuilding, findWrongCustomers, ofCustomers);
  }
}

async function repairSlices(
  rebuilding: Rebuilding,
  find: (tx: Tx, tenantId: string, part: BookPart) => Promise<Found>,
  repair: Repair<string>,
) {
  const { core, tenantId, signal } = rebuilding;
  let after: string | null = null;
  do {
    signal?.throwIfAborted();
    const part: BookPart = { after, size: AT_ONCE };
    const { wrong, last } = await core.store.patient.read(tenantId, (tx) => find(tx, tenantId, part));
    await repairAll(rebuilding, wrong, repair);
    after = last;
  } while (after !== null);
}

async function repairAll<T>({ core, tenantId, signal }: Rebuilding, wrong: readonly T[], repair: Repair<T>) {
  let size = FIRST;
  for (let at = 0; at < wrong.length; ) {
    const heldMs = await repair(core, tenantId, wrong.slice(at, at + size), signal);
    at += size;
    // A waiting writer takes the lock more slowly than the next repair would: it gets as much time.
    await sleep(heldMs);
    const fitting = Math.round((size * HOLD_MS) / heldMs);
    size = Math.max(SMALLEST_SLICE, Math.min(fitting, size * 2, LARGEST_SLICE));
  }
}
