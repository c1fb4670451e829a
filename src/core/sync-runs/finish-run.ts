import type { Transaction } from "../../store/store.ts";
import { lockConnection } from "../erp-access/connection-queries.ts";
import { noteFinishedRun } from "../erp-access/connection-status-queries.ts";
import { nowOf } from "../gate/dependencies.ts";
import { workStep } from "../gate/work-step.ts";
import { retireInvoices } from "../invoices/delivery/retire-invoices.ts";
import { lockLedRun } from "./claim-queries.ts";
import { type LedRun, RunLostError } from "./claim-runs.ts";
import { markFailed, markSucceeded, type RunFailure } from "./finish-queries.ts";
import { settleHeld } from "./held-queries.ts";

/**
 * Ends a run well: what the ERP confirmed to be gone is retired, the connection is `connected` (completions §7).
 * Throws RunLostError.
 */
export const succeedRun = workStep({
  name: "succeedRun",
  async run({ tx, core }, { led, absentIds }: { led: LedRun; absentIds: readonly string[] }) {
    await holdForFinish(tx, led);
    await retireInvoices(tx, core, led.run.tenant_id, absentIds);
    const at = nowOf(core);
    await settleHeld(tx, led.run, { all: true });
    await markSucceeded(tx, led.run, absentIds.length, at);
    await noteFinishedRun(tx, led.run, { at, contact: "answered", isSuccess: true });
  },
});

/** Ends a run that failed; it retires nothing, and its connection's status tells why. Throws RunLostError. */
export const failRun = workStep({
  name: "failRun",
  async run({ tx, core }, { led, failure }: { led: LedRun; failure: RunFailure }) {
    await holdForFinish(tx, led);
    const at = nowOf(core);
    const isHeld = failure.wouldRetire !== undefined;
    if (isHeld) await settleHeld(tx, led.run, { all: false });
    await markFailed(tx, led.run, failure, at);
    await noteFinishedRun(tx, led.run, { at, contact: isHeld ? "answered" : failure.code });
  },
});

async function holdForFinish(tx: Transaction, { run, claimId }: LedRun): Promise<void> {
  const connection = await lockConnection(tx, run.tenant_id, run.connection_id);
  if (connection === undefined || !(await lockLedRun(tx, run, claimId))) throw new RunLostError();
}
