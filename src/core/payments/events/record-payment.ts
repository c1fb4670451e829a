import type { Transaction } from "../../../store/store.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import { lockChargeableCurrencies } from "../../collection/collection-queries.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { notFound } from "../../kernel/error.ts";
import { type Money, money, ZERO } from "../../kernel/money.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { insertPayment, installmentOf, lockPaidInvoice } from "../payment-queries.ts";

type PushStatus = NonNullable<PaymentRow["erp_push_status"]>;

interface ConfirmedPayment {
  tenantId: string;
  invoiceId: string;
  /** Null for an invoice that never had installments. */
  installmentId: string | null;
  /** In the invoice's currency, above zero. */
  amount: Money;
  /** When the service learnt of it; now, when left out. */
  confirmedAt?: string;
  /** When it was paid, as the provider says; when it was confirmed, when left out. */
  paidAt?: string;
  /** The link it was made through, and the provider's name for it; absent for what is entered by hand. */
  through?: PaymentSource;
}

interface PaymentSource {
  paymentLinkId: string;
  paymentIntegrationId: string;
  providerPaymentId: string;
  amountMinor: bigint;
}

/**
 * Records a confirmed payment and recomputes its invoice, in the caller's transaction; answers the payment's id. Its receipt waits
 * to be pushed, or is held when the connection says so; an invoice of the service's own has no ERP. Throws `not_found`,
 * `validation_failed`.
 */
export async function recordConfirmedPayment(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  payment: ConfirmedPayment,
): Promise<string> {
  const { tenantId, invoiceId, installmentId, amount, through } = payment;
  if (amount.lessThanOrEqualTo(ZERO)) throw validationFailed([{ field: "amount", message: "must be above zero" }]);
  await lockChargeableCurrencies(tx, tenantId);
  const invoice = await lockPaidInvoice(tx, tenantId, invoiceId);
  if (invoice === undefined) throw notFound("invoice");
  if (invoice.currency === null)
    throw validationFailed([{ field: "invoiceId", message: "is an invoice without a currency" }]);
  const installment = installmentId === null ? null : await installmentOf(tx, tenantId, invoiceId, installmentId);
  if (installment === undefined) throw notFound("installment");
  const paymentId = core.newId();
  const now = nowOf(core);
  const queued: PushStatus = invoice.payment_push_mode === "held" ? "held" : "pending";
  await insertPayment(tx, {
    tenant_id: tenantId,
    payment_id: paymentId,
    invoice_id: invoiceId,
    connection_id: invoice.connection_id,
    installment_id: installmentId,
    currency: invoice.currency,
    amount: amount.toFixed(),
    confirmed_at: payment.confirmedAt ?? now,
    paid_at: payment.paidAt ?? payment.confirmedAt ?? now,
    erp_push_status: invoice.origin === "local" ? null : queued,
    applied_at: null,
    reflected_at: null,
    created_at: now,
    payment_link_id: through?.paymentLinkId ?? null,
    payment_integration_id: through?.paymentIntegrationId ?? null,
    provider_payment_id: through?.providerPaymentId ?? null,
    amount_minor: through?.amountMinor.toString() ?? null,
    erp_outstanding_before: invoice.origin === "local" ? null : (installment?.erp_outstanding ?? null),
    erp_outstanding_read_at: invoice.origin === "local" ? null : invoice.last_synced_at,
    settled_otherwise: settledOtherwise(invoice).toFixed(),
  });
  await recomputeInvoices(tx, core, tenantId, [invoiceId]);
  return paymentId;
}

/** Below zero where more is owed than it is for, as with charges of the ERP's. */
function settledOtherwise(invoice: NonNullable<Awaited<ReturnType<typeof lockPaidInvoice>>>): Money {
  const { total_amount: total, amount_collected: collected, collection_outstanding: owed } = invoice;
  return total === null ? ZERO : money(total).minus(money(collected)).minus(money(owed));
}
