import { ErpError } from "../../gateways/erp/gateway.ts";
import { connectErp } from "../../gateways/erp/index.ts";
import type { ReceiptState } from "../../gateways/erp/receipts.ts";
import type { Core } from "../core.ts";
import { notFound, ServiceError } from "../error.ts";
import { validationFailed } from "../validation.ts";
import { connectionOfPayment } from "./managed-payment-queries.ts";

/** A receipt as the ERP shows it, for whoever settles a payment by it. */
export interface SeenReceipt {
  readonly amount: string | null;
  readonly currency: string | null;
  readonly receipt_date: string | null;
  readonly state: ReceiptState;
}

/** Somebody waits for the answer. */
const PATIENCE_MS = 20_000;

/**
 * Looks for the receipt of that number in the ERP of a payment's invoice. Throws `not_found` without such a payment or an
 * ERP of its own, `connection_disconnected`, and `validation_failed` where the ERP has no such receipt, has reversed it, or
 * cannot be asked.
 */
export async function lookUpReceipt(
  core: Core,
  tenantId: string,
  { paymentId, receiptNumber }: { paymentId: string; receiptNumber: string },
  signal: AbortSignal,
): Promise<SeenReceipt> {
  const connection = await core.store.read(tenantId, (tx) => connectionOfPayment(tx, tenantId, paymentId));
  if (connection === undefined) throw notFound("payment of an ERP's invoice");
  const { credential, connection_id: connectionId, provider, base_url: baseUrl, address_reach: reach } = connection;
  if (credential === null)
    throw new ServiceError("connection_disconnected", "The ERP connection is disconnected and holds no credential.");
  const password = core.secrets.decrypt(credential, `erp_connections/${connectionId}`);
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const gateway = connectErp(provider, { baseUrl, username: connection.username, password, reach });
    const found = await gateway.findReceipt(receiptNumber, { signal: AbortSignal.any([signal, patience]) });
    if (found === null) throw faulty("is no receipt that the ERP shows");
    if (found.state === "reversed") throw faulty("was reversed in the ERP");
    return { amount: found.amount, currency: found.currency, receipt_date: found.receiptDate, state: found.state };
  } catch (error) {
    if (error instanceof ErpError) throw faulty(`cannot be looked up: ${error.publicMessage.replace(/\.$/, "")}`);
    if (!patience.aborted || signal.aborted) throw error;
    throw faulty(`cannot be looked up: the ERP did not answer within ${PATIENCE_MS / 1_000} seconds`);
  }
}

function faulty(message: string): ServiceError {
  return validationFailed([{ field: "receiptNumber", message }]);
}
