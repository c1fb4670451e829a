import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "../src/core/gate/dependencies.ts";
import { operate } from "../src/core/gate/operator.ts";
import { ServiceError } from "../src/core/kernel/error.ts";
import { settleReceiptByHand } from "../src/core/payments/operations/settle-receipt-by-hand.ts";
import type { Fleet } from "../test/support/fleet.ts";
import { awakeMs } from "./awake.ts";
import type { Clock } from "./clock.ts";
import { judge } from "./judge.ts";
import type { Load } from "./load.ts";
import { rowsOf } from "./rows.ts";
import type { Tally } from "./tally.ts";
import type { Tenant } from "./tenant.ts";
import { unfinished, unsentMails } from "./unfinished.ts";
import type { World } from "./world.ts";

/** The longest the service is given to finish what it has taken on: a link nobody works on is held for two minutes. */
export const LONGEST_SETTLING_MS = 4 * 60_000;
const LOOK_MS = 1_000;
/** Jobs look for what is due every 5 s. */
const LONG_LOOK_MS = 12_000;
/** A receipt that the ERP did not take is pushed again after 15 minutes: time flies, once nothing else is left to do. */
const HASTE_MS = 16 * 60_000;
const UNHASTENED_MS = 20_000;

interface Settling {
  readonly fleet: Fleet;
  readonly world: World;
  readonly load: Load;
  readonly tally: Tally;
  readonly clock: Clock;
  /** What a person does about work that waits for one. */
  readonly mend?: (core: Core, tenant: Tenant) => Promise<unknown>;
}

/**
 * Waits until the service has nothing left to do, then holds the store, the provider and the ERP against what callers
 * were told, and against each other. The embedded store is looked into between two lives of its process.
 */
export async function settle(settling: Settling): Promise<void> {
  const { fleet, world, load, tally, clock, mend = async () => undefined } = settling;
  const begun = awakeMs();
  const latest = begun + LONGEST_SETTLING_MS;
  const isEmbedded = "DATA_DIR" in world.environment;
  reportCrashes(fleet, tally);
  let hastened = 1;
  for (;;) {
    if (isEmbedded) await fleet.stop(0);
    const left = await world.withCore(async (core) => {
      for (const tenant of world.tenants) await settleByHand(core, tenant, load);
      const found = await leftIn(core, world, load);
      if (awakeMs() > begun + UNHASTENED_MS) for (const tenant of world.tenants) await mend(core, tenant);
      if (found.length === 0 || awakeMs() > latest) await judge(core, world, load, tally);
      return found;
    });
    if (left.length === 0 || awakeMs() > latest) return;
    tally.stage = `${left.length} left for the service to do: ${left[0]}`;
    if (isEmbedded) await fleet.start(0);
    // A pull under way is not hastened: its worker would be believed dead.
    if (awakeMs() > begun + UNHASTENED_MS && left.every((one) => !one.startsWith("run ")))
      clock.set(hastened++ * HASTE_MS);
    await sleep(isEmbedded || hastened > 1 ? LONG_LOOK_MS : LOOK_MS);
  }
}

/** A process that is not there any more, though nobody ended it, is an accident of its own. */
function reportCrashes(fleet: Fleet, tally: Tally): void {
  for (let place = 0; place < fleet.size; place += 1) {
    const { child, stderr } = fleet.at(place);
    if (child.exitCode !== null || child.signalCode !== null)
      tally.count("lost", `process ${place} ended by itself: ${stderr().slice(-600)}`);
  }
}

async function leftIn(core: Core, world: World, load: Load): Promise<string[]> {
  const left: string[] = [];
  for (const tenant of world.tenants) left.push(...unfinished(await rowsOf(core, tenant), tenant, load));
  return [...left, ...(await unsentMails(core, world.mailing))];
}

/**
 * What people do about receipts that wait for them (completions §12): those that were entered in the ERP by hand, and what
 * became known so late that nobody has pushed it.
 */
async function settleByHand(core: Core, tenant: Tenant, { beside }: Load): Promise<void> {
  const { payments } = await rowsOf(core, tenant);
  for (const { payment_id: paymentId, erp_push_status: status, installment_id } of payments) {
    const part = tenant.parts.find(({ installmentId }) => installmentId === installment_id);
    const known = beside.enteredFor(tenant, paymentId);
    if (part === undefined || (status !== "held" && (status !== "failed" || known === undefined))) continue;
    const { number: receiptNumber } = known ?? beside.enter(tenant, part, paymentId);
    await operate(core, tenant.id, settleReceiptByHand, { paymentId, receiptNumber }).catch((error) => {
      // It is being pushed at this moment: the next look finds what came of that.
      if (!(error instanceof ServiceError)) throw error;
    });
  }
}
