import type { Transaction } from "../../store/store.ts";
import { holdFigures } from "../collection/collection-queries.ts";
import { lockConnection } from "../erp-access/connection-queries.ts";
import { noteFinishedRun } from "../erp-access/connection-status-queries.ts";
import { briskly, passOver } from "../gate/brisk.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { farthestOf } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import { retireInvoices } from "../invoices/delivery/retire-invoices.ts";
import { lockLedRun, type RunKey, runInFlight } from "./claim-queries.ts";
import { type LedRun, RunLostError } from "./claim-runs.ts";
import { abandonedRuns, type Lost, markFailed, markSucceeded, type RunFailure, settleHeld } from "./finish-queries.ts";

/**
 * Ends a run well: what the ERP confirmed to be gone is retired, the connection is `connected` (completions §7).
 * Throws RunLostError.
 */
export const succeedRun = workStep({
  name: "succeedRun",
  async run({ tx, core }, { led, absentIds }: { led: LedRun; absentIds: readonly string[] }) {
    await holdForFinish(tx, led);
    await retireInvoices(tx, core, led.tenant_id, absentIds);
    const at = nowOf(core);
    await settleHeld(tx, led, { all: true });
    await markSucceeded(tx, led, absentIds.length, at);
    await noteFinishedRun(tx, led, { at, contact: "answered", isSuccess: true });
  },
});

/** Ends a run that failed; it retires nothing, and its connection's status tells why. Throws RunLostError. */
export const failRun = workStep({
  name: "failRun",
  async run({ tx, core }, { led, failure }: { led: LedRun; failure: RunFailure }) {
    await holdForFinish(tx, led);
    const at = nowOf(core);
    const isHeld = failure.wouldRetire !== undefined;
    if (isHeld) await settleHeld(tx, led, { all: false });
    await markFailed(tx, led, failure, at);
    await noteFinishedRun(tx, led, { at, contact: isHeld ? "answered" : failure.code });
  },
});

async function holdForFinish(tx: Transaction, led: LedRun) {
  await holdFigures(tx, led.tenant_id);
  const connection = await lockConnection(tx, led.tenant_id, led.connection_id);
  if (connection === undefined || !(await lockLedRun(tx, led))) throw new RunLostError();
}

type Interruption = "cut_off" | "switched_off" | "disconnected" | "reconnected";
type ConnectedRun = RunKey & { readonly connection_id: string };

/** Ends the running runs whose worker let its lease run out, as `failed` / `interrupted`, of all tenants. */
export function interruptLostRuns(core: Core) {
  return interruptAbandoned(core, { now: nowOf(core), farthest: farthestOf(nowOf(core)) });
}

/** The same for every running run. Only for the start of a service of one process. */
export function interruptEveryRun(core: Core) {
  return interruptAbandoned(core, null);
}

/** Ends the run of a connection that is in flight, if any; the caller holds the connection's lock. */
export async function interruptRunOf(
  tx: Transaction,
  core: Pick<Core, "clock">,
  connection: { tenantId: string; connectionId: string },
  reason: Interruption,
) {
  const run = await runInFlight(tx, connection.tenantId, connection.connectionId);
  if (run !== undefined) await interrupt(tx, core, { ...run, connection_id: connection.connectionId }, reason, null);
}

async function interruptAbandoned(core: Core, lost: Lost | null) {
  for (const run of await readAbandonedRuns(core, lost))
    try {
      if (await interruptRun(briskly(core), run.tenant_id, { run, lost }))
        core.log.warn({ syncRunId: run.sync_run_id }, "sync_run.interrupted");
    } catch (error) {
      passOver(core, error, { tenantId: run.tenant_id, step: "interruptRun" });
    }
}

const readAbandonedRuns = workStep({
  in: "all workspaces",
  run: ({ tx, shards }, lost: Lost | null) => abandonedRuns(tx, shards, lost),
});

const interruptRun = workStep({
  name: "interruptRun",
  async run({ tx, core }, { run, lost }: { run: ConnectedRun; lost: Lost | null }) {
    await lockConnection(tx, run.tenant_id, run.connection_id);
    return interrupt(tx, core, run, "cut_off", lost);
  },
});

async function interrupt(
  tx: Transaction,
  core: Pick<Core, "clock">,
  run: ConnectedRun,
  code: Interruption,
  lost: Lost | null,
) {
  const at = nowOf(core);
  if (!(await markFailed(tx, run, { code: "interrupted", reason: { code } }, at, lost))) return false;
  await noteFinishedRun(tx, run, { at, contact: "interrupted" });
  return true;
}
