import type { InstallmentRow, InvoiceRow } from "../../store/tables/invoices.ts";
import { money, sum, ZERO } from "../kernel/money.ts";
import type { InstallmentFacts, InvoiceFacts, PaymentFacts } from "./collection-facts.ts";
import { isReflected, leftOfEach, lessPayments, owedBefore } from "./collection-outstanding.ts";
import { collectionStatus } from "./collection-status.ts";
import { notCollectibleReason, WHOLE } from "./not-collectible-reason.ts";
import { worstPushState } from "./push-state.ts";

/** The derived columns of an invoice. */
export const INVOICE_FIGURES = {
  collection_status: "text",
  collection_outstanding: "numeric",
  amount_collected: "numeric",
  collection_due_date: "date",
  not_collectible_reason: "text",
  erp_push_state: "text",
  has_held_payment: "boolean",
} as const satisfies Partial<Record<keyof InvoiceRow, string>>;

/** The derived columns of an installment. */
export const INSTALLMENT_FIGURES = {
  collection_outstanding: "numeric",
  collectible: "boolean",
  not_collectible_reason: "text",
} as const satisfies Partial<Record<keyof InstallmentRow, string>>;

/** Their values, as the store keeps them. */
export type InvoiceFigures = Pick<InvoiceRow, keyof typeof INVOICE_FIGURES>;
export type InstallmentFigures = Pick<InstallmentRow, keyof typeof INSTALLMENT_FIGURES>;

/**
 * Every derived figure of an invoice and its installments, in their order (completions §6). `chargeable` holds the
 * currencies that some connected payment integration of the workspace can charge.
 */
export function collectionFigures(
  invoice: InvoiceFacts,
  installments: readonly InstallmentFacts[],
  payments: readonly PaymentFacts[],
  chargeable: ReadonlySet<string>,
): { invoice: InvoiceFigures; installments: InstallmentFigures[] } {
  // The ERP may have changed the invoice's currency since: money in another cannot be set against it.
  const own = payments.filter((payment) => payment.currency === invoice.currency);
  const elsewhere = (invoice.settled_elsewhere ?? []).map(({ amount }) => ({ installment_id: null, amount }));
  const settling = [...own.filter((payment) => invoice.origin === "local" || !isReflected(payment)), ...elsewhere];
  const left = leftOfEach(invoice, installments, settling);
  const parts = installments.map((installment) => {
    const outstanding = left.get(installment.installment_id) ?? ZERO;
    return { installment, outstanding, reason: notCollectibleReason(invoice, installment, outstanding, chargeable) };
  });

  const live = parts.filter(({ installment }) => installment.removed_at === null);
  const owed = owedBefore(invoice, invoice.total_amount, invoice.erp_invoice_open_balance);
  const outstanding = invoice.has_installments
    ? sum(live.map((part) => part.outstanding))
    : lessPayments(owed, settling);
  const collected = sum(own.map((payment) => money(payment.amount)));
  const collectible = parts.filter(({ reason }) => reason === null);
  return {
    invoice: {
      collection_status: collectionStatus(collected, outstanding, collectible.length > 0),
      collection_outstanding: outstanding.toFixed(),
      amount_collected: collected.toFixed(),
      not_collectible_reason: invoice.has_installments
        ? null
        : notCollectibleReason(invoice, WHOLE, outstanding, chargeable),
      collection_due_date: earliest(collectible.map(({ installment }) => installment.due_date)),
      erp_push_state: worstPushState(payments),
      has_held_payment: payments.some((payment) => payment.erp_push_status === "held"),
    },
    installments: parts.map(({ outstanding: part, reason }) => ({
      collection_outstanding: part.toFixed(),
      collectible: reason === null,
      not_collectible_reason: reason,
    })),
  };
}

function earliest(dates: readonly (string | null)[]) {
  return dates.filter((date) => date !== null).sort()[0] ?? null;
}
