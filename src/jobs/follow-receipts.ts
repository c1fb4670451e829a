import type { Core } from "../core/core.ts";
import { dueReceipts, noteReceipts } from "../core/payments/receipt-follow.ts";
import { ErpError } from "../gateways/erp/gateway.ts";
import type { ErpReceipts } from "../gateways/erp/receipts.ts";
import { committed } from "./committed.ts";

/**
 * Looks what has become of a connection's receipts (service.md §3.3). Before a pull reads balances, so that no debt that a
 * reversal brings back is taken for money still to be collected. An ERP that does not show its receipts is no reason not
 * to pull; rejects with the signal's reason.
 */
export async function followReceipts(
  core: Core,
  gateway: ErpReceipts,
  connection: { tenantId: string; connectionId: string },
  signal: AbortSignal,
): Promise<void> {
  const known = await dueReceipts(core, connection);
  if (known.length === 0) return;
  const ids = known.map((receipt) => receipt.erp_receipt_id);
  try {
    const found = await gateway.readReceipts(ids, { signal });
    const moved = await committed(() => noteReceipts(core, connection, known, found), signal);
    core.log.info({ ...connection, looked: known.length, found: found.size, moved }, "receipts were looked at");
  } catch (error) {
    if (!(error instanceof ErpError)) throw error;
    core.log.warn({ ...connection, err: error }, "receipts could not be looked at");
  }
}
