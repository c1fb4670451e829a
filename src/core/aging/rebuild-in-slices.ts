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
/** How long one transaction is to hold the workspace's writers, and of how many at once it puts right what is wrong. */
const HOLD_MS = 30;
const FIRST = 10;
const SMALLEST_SLICE = 5;
const LARGEST_SLICE = 100;

type Tx = StepContext["tx"];

/** Puts some of what is wrong right, and answers for how long that held writers. */
type Right<T> = WorkStep<readonly T[], number>;

const righting = <T>(rebuild: (tx: Tx, wrong: Wrong<T>) => Promise<void>): Right<T> =>
  workStep({
    name: "rebuildAging",
    async run({ tx, actor: { tenantId } }, wrong: readonly T[]) {
      const day = await lockedDay(tx, tenantId);
      const begun = performance.now();
      await rebuild(tx, { tenantId, day, wrong });
      return performance.now() - begun;
    },
  });

const ofInvoices = righting(rebuildInvoices);
const ofCustomers = righting(rebuildCustomers);
const ofSums = SUMS.map((sums) => ({ sums, right: righting(rebuildSums(sums)) }));

/** The workspace whose roll-up is rebuilt. */
interface Rebuilding {
  readonly core: Core;
  readonly tenantId: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Computes a workspace's whole roll-up again while its writers go on. What is wrong is found in snapshots, which hold up nobody,
 * and stays so until it is put right, for writers change a book and its roll-up alike. Only that holds writers, for moments.
 */
export async function rebuildInSlices(core: Core, tenantId: string, signal: AbortSignal | undefined): Promise<void> {
  const rebuilding = { core, tenantId, signal };
  // Built, where it is not; and brought to today.
  await advanceRollup(core, tenantId, null);
  await rightSlices(rebuilding, findWrongInvoices, ofInvoices);
  for (const { sums, right } of ofSums) {
    const wrong = await core.store.patient.read(tenantId, (tx) => findWrongSums(tx, tenantId, sums));
    await rightAll(rebuilding, wrong, right);
    if (sums === CUSTOMER_SUMS) await rightSlices(rebuilding, findWrongCustomers, ofCustomers);
  }
}

async function rightSlices(
  rebuilding: Rebuilding,
  find: (tx: Tx, tenantId: string, part: BookPart) => Promise<Found>,
  right: Right<string>,
): Promise<void> {
  const { core, tenantId, signal } = rebuilding;
  let after: string | null = null;
  do {
    signal?.throwIfAborted();
    const part: BookPart = { after, size: AT_ONCE };
    const { wrong, last } = await core.store.patient.read(tenantId, (tx) => find(tx, tenantId, part));
    await rightAll(rebuilding, wrong, right);
    after = last;
  } while (after !== null);
}

async function rightAll<T>(
  { core, tenantId, signal }: Rebuilding,
  wrong: readonly T[],
  right: Right<T>,
): Promise<void> {
  let size = FIRST;
  for (let at = 0; at < wrong.length; ) {
    const heldMs = await right(core, tenantId, wrong.slice(at, at + size), signal);
    at += size;
    // A writer that has waited is slower to take the lock than the next of these would be: it gets as much time.
    await sleep(heldMs);
    const fitting = Math.round((size * HOLD_MS) / heldMs);
    size = Math.max(SMALLEST_SLICE, Math.min(fitting, size * 2, LARGEST_SLICE));
  }
}
