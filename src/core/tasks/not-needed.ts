import type { InstallmentFacts, InvoiceFacts } from "../collection/collection-facts.ts";
import { erpAmount, lessPayments } from "../collection/collection-outstanding.ts";
import { ZERO } from "../kernel/money.ts";

/**
 * Whether nobody needs to arrange the invoice's payment any more (service.md §3.4, `not_needed`): it is retired or
 * void, was settled elsewhere, or the ERP shows no debt, neither on a live installment nor, where it never had installments, on the invoice itself.
 */
export function needsNoTask(invoice: InvoiceFacts, installments: readonly InstallmentFacts[]) {
  if (invoice.retired_at !== null) return true;
  if (invoice.origin === "local") {
    const { voided_at: voidedAt = null, settled_elsewhere: settled = [], total_amount: total } = invoice;
    return voidedAt !== null || (settled.length > 0 && lessPayments(total, settled).isZero());
  }
  const balances = invoice.has_installments
    ? installments.filter(({ removed_at }) => removed_at === null).map(({ erp_outstanding }) => erp_outstanding)
    : [invoice.erp_invoice_open_balance];
  return balances.every((balance) => erpAmount(balance).lessThanOrEqualTo(ZERO));
}
