import type { Core } from "../core/gate/dependencies.ts";
import {
  dueReceipts,
  noteReceipts,
  type PulledConnection,
  receiptsInDoubt,
} from "../core/payments/receipts/receipt-follow.ts";
import type { KnownReceipt } from "../core/payments/receipts/receipt-queries.ts";
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
    const ids = known.flatMap(({ erp_receipt_id: id }) => id ?? []);
    let unread = 0;
    // What cannot be read counts as not shown.
    const setAside = (receiptId: string, err: Error) => {
      unread += 1;
      core.log.warn({ ...connection, receiptId, err }, "receipts.poll.set_aside");
    };
    try {
      const byId =
        ids.length === 0 ? new Map<string, ErpReceipt>() : await gateway.readReceipts(ids, { signal, setAside });
      const found = await findByNumber(gateway, known, { signal, setAside });
      for (const { payment_id: paymentId, erp_receipt_id: id } of known) {
        const shown = id === null ? undefined : byId.get(id);
        if (shown !== undefined) found.set(paymentId, shown);
      }
      return { found, unread };
    } catch (error) {
      if (!(error instanceof ErpError)) throw error;
      core.log.warn({ ...connection, err: error }, "receipts.poll.failed");
      return null;
    }
  }

  async function look(known: readonly KnownReceipt[], { inDoubt }: { inDoubt: boolean }) {
    if (known.length === 0) return;
    const shown = await read(known);
    if (shown === null && !inDoubt) return;
    const { found, unread } = shown ?? { found: new Map<string, ErpReceipt | null>(), unread: 0 };
    const moved = await noteReceipts(core, tenantId, { startedAt, known, found, inDoubt }, signal);
    core.log.info({ ...connection, polled: known.length, found: found.size, unread, moved }, "receipts.polled");
  }

  const due = await dueReceipts(core, tenantId, connection);
  if (due === null) return async () => undefined;
  await look(due, { inDoubt: false });
  return async (invoices) => {
    await look(await receiptsInDoubt(core, tenantId, connection, invoices), { inDoubt: true });
  };
}

/** Those settled by hand that were not found yet, by their payments: null for one that the ERP answers it has not. */
async function findByNumber(
  gateway: ErpReceipts,
  known: readonly KnownReceipt[],
  { signal, setAside }: { signal: AbortSignal; setAside: (receiptNumber: string, why: Error) => void },
) {
  const found = new Map<string, ErpReceipt | null>();
  const unknown = known.filter(({ erp_receipt_id: id }) => id === null);
  for (const [number, alike] of Map.groupBy(unknown, ({ erp_receipt_number: number }) => number ?? "")) {
    try {
      const receipt = await gateway.findReceipt(number, { signal });
      for (const { payment_id: paymentId, currency } of alike)
        found.set(paymentId, receipt !== null && (receipt.currency ?? currency) === currency ? receipt : null);
    } catch (error) {
      if (!(error instanceof ErpError) || error.kind !== "erp_rejected") throw error;
      setAside(number, error);
    }
  }
  return found;
}
