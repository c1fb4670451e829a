import type { Core } from "../core/gate/dependencies.ts";
import {
  anyReceipts,
  dueReceipts,
  noteReceipts,
  noteReversedByHand,
  type PulledConnection,
  receiptsByHandInDoubt,
  receiptsInDoubt,
} from "../core/payments/receipts/receipt-follow.ts";
import type { KnownReceipt, ReceiptByHand } from "../core/payments/receipts/receipt-queries.ts";
import { ErpError, type ErpInvoice } from "../gateways/erp/gateway.ts";
import type { ErpReceipt, ErpReceipts } from "../gateways/erp/receipts.ts";

/** To be told of invoices that were read, before their balances are taken in. */
type BeforeDelivery = (invoices: readonly ErpInvoice[]) => Promise<void>;

/**
 * Checks a connection's receipts when a pull begins (service.md §3.3), and answers how the pull looks
 * at those whose installments owe more than before. An ERP that does not show its receipts is no reason not to pull, nor
 * to ask again for what they have settled; rejects with the signal's reason.
 */
export async function followReceipts(
  core: Core,
  gateway: ErpReceipts,
  connection: PulledConnection,
  signal: AbortSignal,
): Promise<BeforeDelivery> {
  const { tenantId, startedAt } = connection;
  async function read(known: readonly KnownReceipt[]) {
    const ids = known.map((receipt) => receipt.erp_receipt_id);
    let unread = 0;
    // What cannot be read counts as not shown.
    const setAside = (receiptId: string, err: Error): void => {
      unread += 1;
      core.log.warn({ ...connection, receiptId, err }, "receipts.poll.set_aside");
    };
    try {
      const found = await gateway.readReceipts(ids, { signal, setAside });
      return { found, unread };
    } catch (error) {
      if (!(error instanceof ErpError)) throw error;
      core.log.warn({ ...connection, err: error }, "receipts.poll.failed");
      return null;
    }
  }

  async function look(known: readonly KnownReceipt[], { inDoubt }: { inDoubt: boolean }): Promise<void> {
    if (known.length === 0) return;
    const shown = await read(known);
    if (shown === null && !inDoubt) return;
    const { found, unread } = shown ?? { found: new Map<string, ErpReceipt>(), unread: 0 };
    const moved = await noteReceipts(core, tenantId, { startedAt, known, found, inDoubt }, signal);
    core.log.info({ ...connection, polled: known.length, found: found.size, unread, moved }, "receipts.polled");
  }

  /** Asks for each by its number: they are few, and asked for only where more is owed than they would explain. */
  async function lookByHand(known: readonly ReceiptByHand[]): Promise<void> {
    const reversed: ReceiptByHand[] = [];
    for (const [receiptNumber, all] of Map.groupBy(known, (one) => one.receipt_number)) {
      try {
        const found = await gateway.findReceipt(receiptNumber, { signal });
        if (found?.state === "reversed") reversed.push(...all.filter((one) => one.currency === found.currency));
      } catch (error) {
        if (!(error instanceof ErpError)) throw error;
        core.log.warn({ ...connection, receiptNumber, err: error }, "receipts.by_hand.poll.failed");
        if (error.kind !== "erp_rejected") break;
      }
    }
    if (reversed.length === 0) return;
    const moved = await noteReversedByHand(core, tenantId, reversed, signal);
    core.log.info({ ...connection, polled: known.length, moved }, "receipts.by_hand.reversed");
  }

  if (!(await anyReceipts(core, connection))) return async () => undefined;
  await look(await dueReceipts(core, connection), { inDoubt: false });
  return async (invoices) => {
    await look(await receiptsInDoubt(core, connection, invoices), { inDoubt: true });
    await lookByHand(await receiptsByHandInDoubt(core, connection, invoices));
  };
}
