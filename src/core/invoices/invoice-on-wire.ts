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
export function invoiceOnWire(row: InvoiceRecord): z.output<typeof Invoice> {
  return {
    id: row.invoice_id,
    invoice_number: row.invoice_number,
    currency: row.currency,
    total_amount: formatStored(row.total_amount, row.currency),
    erp_invoice_open_balance: formatStored(row.erp_invoice_open_balance, row.currency),
    invoice_date: row.invoice_date,
    due_date: row.due_date,
    collection_due_date: row.collection_due_date,
    last_synced_at: row.last_synced_at,
    collection_outstanding: formatStored(row.collection_outstanding, row.currency),
    overdue_outstanding: formatStored(row.overdue_outstanding, row.currency),
    available_amount: formatStored(row.available_amount, row.currency),
    amount_collected: formatStored(row.amount_collected, row.currency),
    erp_push_state: row.erp_push_state,
    has_held_payment: row.has_held_payment,
    collection_status: row.collection_status,
    customer: {
      id: row.customer_id,
      number: row.customer_number,
      name: row.customer_name,
      contact_name: row.contact_name,
      email: row.customer_email,
    },
    origin: row.origin,
    connection_id: row.connection_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    collection_updated_at: row.collection_updated_at,
    has_active_payment_link: row.has_active_payment_link,
    ...(row.payment_terms === null ? {} : { payment_terms: row.payment_terms }),
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
