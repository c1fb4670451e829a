import { z } from "zod";
import { lockChargeableCurrencies, lockInvoices } from "../../collection/collection-queries.ts";
import { findConnection } from "../../erp-access/connection-queries.ts";
import { ErpConnectionStatus } from "../../erp-access/connection-status.ts";
import { operation } from "../../gate/operation.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { invoicesWithWaitingPush, leftToPeople, queueWaiting } from "../payment-queries.ts";
import { RECEIPTS_QUEUED } from "../receipts/claimed-push.ts";

/**
 * Queues the receipts of a connection that wait for a person (service.md §3.3), because they failed or were not applied, for another
 * 24 hours, once the cause is mended. Nothing is created twice by it. What is held or was reversed is only counted. Throws `not_found`.
 */
export const pushFailedPayments = operation({
  id: "pushFailedPayments",
  summary: "Queue the receipts again that failed or were not applied, once the cause is mended",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Receipts that failed, or that were not applied, are pushed to the ERP again for 24 hours.",
  input: z.strictObject({ connectionId: Uuid }),
  output: z.strictObject({
    receipts_queued: z.int(),
    receipts_held: z.int(),
    receipts_reversed: z.int(),
    connection_status: ErpConnectionStatus,
  }),
  async run({ tx, core, actor, now, audit, afterCommit }, { connectionId }) {
    const { tenantId } = actor;
    orNotFound(await findConnection(tx, tenantId, connectionId), "ERP connection");
    await lockChargeableCurrencies(tx, tenantId);
    const invoiceIds = await invoicesWithWaitingPush(tx, tenantId, connectionId);
    await lockInvoices(tx, tenantId, invoiceIds);
    const count = await queueWaiting(tx, tenantId, invoiceIds, now);
    await recomputeInvoices(tx, core, tenantId, invoiceIds);
    audit(count > 0 ? { type: "erp_connection", id: connectionId } : null);
    afterCommit(() => core.store.publish({ topic: RECEIPTS_QUEUED, payload: tenantId }));
    return { receipts_queued: count, ...(await leftToPeople(tx, tenantId, connectionId)) };
  },
});
