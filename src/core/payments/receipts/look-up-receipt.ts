import { ErpError } from "../../../gateways/erp/gateway.ts";
import { erpGateway } from "../../../gateways/erp/index.ts";
import type { ErpReceipt } from "../../../gateways/erp/receipts.ts";
import { assertConnected } from "../../erp-access/assert-connected.ts";
import { erpSettings } from "../../erp-access/credential.ts";
import type { Core } from "../../gate/dependencies.ts";
import { type ErrorDetail, notFound, type ServiceError } from "../../kernel/error.ts";
import { type Money, money, sum } from "../../kernel/money.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { readableMoney } from "../../mail/readable.ts";
import { isOpen } from "./manage-receipt.ts";
import { connectionOfPayment, managedPayment, settledByReceipt } from "./receipt-queries.ts";

/** Somebody waits for the answer. */
const PATIENCE_MS = 20_000;

/**
 * Finds the receipt of that number in the ERP of a payment's invoice. Null for a payment that is not to be
 * settled by hand. Throws `not_found` without such a payment, `connection_disconnected`, and `validation_failed` where the ERP has no such receipt, has
 * reversed it, has less money in it than it is to settle, or cannot be asked.
 */
export async function lookUpReceipt(
  core: Core,
  tenantId: string,
  { paymentId, receiptNumber }: { paymentId: string; receiptNumber: string },
  signal?: AbortSignal,
) {
  const { payment, connection } = await core.store.read(tenantId, async (tx) => ({
    payment: await managedPayment(tx, { tenantId, paymentId }),
    connection: await connectionOfPayment(tx, tenantId, paymentId),
  }));
  if (payment === undefined) throw notFound("payment");
  if (!isOpen(payment)) return null;
  if (connection === undefined) throw notFound("payment of an ERP's invoice");
  assertConnected(connection);
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const gateway = erpGateway(connection.provider, erpSettings(core, connection));
    const found = await gateway.findReceipt(receiptNumber, {
      signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
    });
    if (found === null) throw faulty("is no receipt that the ERP shows");
    if (found.state === "reversed") throw faulty("was reversed in the ERP");
    await assertCovers(core, tenantId, { payment: { paymentId, ...connection }, receiptNumber, found });
    return { amount: found.amount, currency: found.currency, receipt_date: found.receiptDate, state: found.state };
  } catch (error) {
    if (error instanceof ErpError) throw faulty(`cannot be looked up: ${error.publicMessage.slice(0, -1)}`, NOT_ASKED);
    if (!patience.aborted || signal?.aborted) throw error;
    throw faulty(`cannot be looked up: the ERP did not answer within ${PATIENCE_MS / 1_000} seconds`, NOT_ASKED);
  }
}

interface Covering {
  readonly payment: { paymentId: string; connection_id: string; amount: string; currency: string };
  readonly receiptNumber: string;
  readonly found: ErpReceipt;
}

/** A receipt of less money than it is to settle, others' payments included, is another one, or a mistyped number. */
async function assertCovers(core: Core, tenantId: string, { payment, receiptNumber, found }: Covering): Promise<void> {
  const { amount, currency, paymentId, connection_id: connectionId } = payment;
  if (found.currency !== null && found.currency !== currency)
    throw faulty(`is a receipt in ${found.currency}, and the payment is in ${currency}`);
  if (found.amount === null) return;
  const receipt = { connectionId, receiptNumber };
  const settled = await core.store.read(tenantId, (tx) => settledByReceipt(tx, tenantId, receipt));
  const others = settled.filter((one) => one.payment_id !== paymentId);
  const left = money(found.amount).minus(sum(others.map((one) => money(one.amount))));
  if (left.greaterThanOrEqualTo(money(amount))) return;
  const shown = (figure: Money) => readableMoney(figure, currency);
  const taken = others.length === 0 ? "" : `, of which ${others.map((one) => one.payment_id).join(", ")} took a part`;
  throw faulty(
    `is a receipt of ${shown(money(found.amount))}${taken}: it cannot hold the payment's ${shown(money(amount))}`,
  );
}

const NOT_ASKED = { code: "not_asked" } as const;

function faulty(message: string, more: Pick<ErrorDetail, "code"> = {}): ServiceError {
  return validationFailed([{ field: "receiptNumber", message, ...more }]);
}
