import type { z } from "zod";
import { atLeastZero, formatMoney, formatStored, type Money, money, sum } from "../kernel/money.ts";
import type { InstallmentRecord, InvoiceRecord } from "./list-queries.ts";
import type { Installment, Invoice } from "./schema.ts";

/**
 * What a new payment link on an installment may still ask for (completions §4): what is left to collect, less what its
 * live links ask for already. Collected money is netted off `collectionOutstanding` and not subtracted again.
 */
export function availableAmount(collectionOutstanding: Money, liveLinkAmounts: Iterable<Money>) {
  return atLeastZero(collectionOutstanding.minus(sum(liveLinkAmounts)));
}

/** The invoice as callers see it (service.md §2.3). */
export function invoiceOnWire({
  invoice_id: id,
  payment_terms,
  contact_name,
  ...row
}: InvoiceRecord): z.output<typeof Invoice> {
  const { customer_id, customer_number: number, customer_name: name, customer_email: email, ...shown } = row;
  const { currency } = shown;
  return {
    id,
    ...shown,
    total_amount: formatStored(row.total_amount, currency),
    erp_invoice_open_balance: formatStored(row.erp_invoice_open_balance, currency),
    collection_outstanding: formatStored(row.collection_outstanding, currency),
    overdue_outstanding: formatStored(row.overdue_outstanding, currency),
    available_amount: formatStored(row.available_amount, currency),
    amount_collected: formatStored(row.amount_collected, currency),
    customer: { id: customer_id, number, name, contact_name, email },
    ...(payment_terms === null ? {} : { payment_terms }),
  };
}

/** The installment as callers see it (completions §4); `currency` is its invoice's. */
export function installmentOnWire(row: InstallmentRecord, currency: string | null): z.output<typeof Installment> {
  return {
    id: row.installment_id,
    sequence_number: row.sequence_number,
    due_date: row.due_date,
    original_amount: formatStored(row.original_amount, currency),
    erp_installment_outstanding_amount: formatStored(row.erp_outstanding, currency),
    collection_outstanding: formatStored(row.collection_outstanding, currency),
    available_amount: formatMoney(
      availableAmount(money(row.collection_outstanding), row.live_link_amounts.map(money)),
      currency,
    ),
    collectible: row.collectible,
    not_collectible_reason: row.not_collectible_reason,
  };
}
