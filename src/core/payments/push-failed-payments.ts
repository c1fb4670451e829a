import { type Core, nowOf } from "../core.ts";
import { notFound } from "../error.ts";
import { lockChargeableCurrencies, lockInvoices } from "../invoices/collection-queries.ts";
import { recomputeInvoices } from "../invoices/recompute.ts";
import { recordOperatorAct } from "../operator.ts";
import {
  invoicesWithWaitingPush,
  isConnectionOf,
  type LeftToPeople,
  leftToPeople,
  queueWaiting,
} from "./push-held-queries.ts";
import { RECEIPTS_QUEUED } from "./push-receipt.ts";

/**
 * What a person does about pushes that wait for one (service.md §3.3), once the cause is mended: queues all receipts of a
 * connection anew that failed, or that the ERP has and were not applied, for another 24 hours. Nothing is created twice
 * by it. What is held or was reversed is left to people, and counted. Throws `not_found`.
 */
export async function pushFailedPayments(
  core: Core,
  tenantId: string,
  connectionId: string,
): Promise<{ receipts_queued: number } & LeftToPeople> {
  const pushed = await core.store.write(tenantId, async (tx) => {
    if (!(await isConnectionOf(tx, tenantId, connectionId))) throw notFound("ERP connection");
    await lockChargeableCurrencies(tx, tenantId);
    const invoiceIds = await invoicesWithWaitingPush(tx, tenantId, connectionId);
    await lockInvoices(tx, tenantId, invoiceIds);
    const count = await queueWaiting(tx, tenantId, invoiceIds, nowOf(core));
    await recomputeInvoices(tx, core, tenantId, invoiceIds);
    const act = { operation: "pushFailedPayments", objectType: "erp_connection", objectId: connectionId };
    await recordOperatorAct(tx, core, { tenantId, ...act });
    return { receipts_queued: count, ...(await leftToPeople(tx, tenantId, connectionId)) };
  });
  await core.store.publish({ topic: RECEIPTS_QUEUED, payload: tenantId });
  return pushed;
}
