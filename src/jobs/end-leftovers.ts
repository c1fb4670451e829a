import type { Core } from "../core/gate/core.ts";
import { abandonEveryPush } from "../core/payments/receipts/push-receipt.ts";
import { interruptEveryRun } from "../core/sync-runs/interrupt-runs.ts";

/** Ends the pulls and pushes of a process that is gone. Only where this process is the only one, as on the embedded store. */
export async function endLeftovers(core: Core): Promise<void> {
  await interruptEveryRun(core);
  await abandonEveryPush(core);
}
