import type { Core } from "../core/core.ts";
import {
  anyReceipts,
  dueReceipts,
  noteReceipts,
  type PulledConnection,
  receiptsInDoubt,
} from "../core/payments/receipt-follow.ts";
import type { KnownReceipt } from "../core/payments/receipt-queries.ts";
import { ErpError, type ErpInvoice } from "../gateways/erp/gateway.ts";
import type { ErpReceipts } from "../gateways/erp/receipts.ts";
import { committed } from "./committed.ts";

/** To be told of invoices that were read, before their balances are taken in. */
export type BeforeDelivery = (invoices: readonly ErpInvoice[]) => Promise<void>;

/**
 * Looks what has become of a connection's receipts when a pull begins (service.md §3.3), and answers how the pull looks
 * at those whose installments owe more than before. An ERP that does not show its receipts is no reason not to pull;
 * rejects with the signal's reason.
 */
export async function followReceipts(
  core: Core,
  gateway: ErpReceipts,
  connection: PulledConnection,
  signal: AbortSignal,
): Promise<BeforeDelivery> {
  async function look(known: readonly KnownReceipt[]): Promise<void> {
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

  if (!(await anyReceipts(core, connection))) return async () => undefined;
  await look(await dueReceipts(core, connection));
  return async (invoices) => look(await receiptsInDoubt(core, connection, invoices));
}
