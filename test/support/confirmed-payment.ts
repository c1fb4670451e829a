import { nowOf, type Stamping } from "../../src/core/gate/dependencies.ts";
import type { Money } from "../../src/core/kernel/money.ts";
import { recordConfirmedPayment as recorded } from "../../src/core/payments/events/record-payment.ts";
import type { Transaction } from "../../src/store/store.ts";

const NO_LINK = { payment_link_id: null, payment_integration_id: null, provider_payment_id: null, amount_minor: null };

/** A payment as the service records it, also one that came through no link, and of an invoice without installments. */
export async function recordConfirmedPayment(
  tx: Transaction,
  core: Stamping,
  given: {
    tenantId: string;
    invoiceId: string;
    installmentId: string | null;
    amount: Money;
    paidAt?: string;
    through?: { [Name in keyof typeof NO_LINK]: string };
  },
): Promise<string> {
  const { tenantId: tenant_id, invoiceId: invoice_id, installmentId: installment_id, amount } = given;
  const { currency } = await tx
    .selectFrom("invoices")
    .select("currency")
    .where((column) => column.and({ tenant_id, invoice_id }))
    .executeTakeFirstOrThrow();
  if (currency === null) throw new Error("no currency");
  const ids = { tenant_id, invoice_id, installment_id, ...(given.through ?? NO_LINK) };
  return recorded(tx, core, { ...ids, currency, amount, paid_at: given.paidAt ?? nowOf(core) });
}
