import type { CustomerRow, InstallmentRow } from "../../../store/tables/invoices.ts";
import { collectionFigures } from "../../collection/collection-figures.ts";
import { differs } from "../../kernel/differs.ts";
import { searchColumns } from "../../kernel/text.ts";
import { needsNoTask } from "../../tasks/not-needed.ts";
import type { KnownInvoice } from "./deliver-queries.ts";
import { billingEmail, type DeliveredInvoice } from "./delivered-invoice.ts";

/** One delivered invoice beside what is stored of it. */
export interface ArrivedInvoice {
  readonly delivered: DeliveredInvoice;
  readonly known: KnownInvoice | undefined;
  readonly invoiceId: string;
}

/** What the rows of an arrival depend on, besides itself. */
interface Surroundings {
  readonly now: string;
  readonly newId: () => string;
  readonly customer: CustomerRow;
  /** What is stored of the invoice. */
  readonly installments: readonly InstallmentRow[];
  readonly payments: Parameters<typeof collectionFigures>[2];
  readonly chargeable: Parameters<typeof collectionFigures>[3];
}

/** The rows of a new or changed invoice, with the figures that follow from them. */
export function rowsOf(arrival: ArrivedInvoice, surroundings: Surroundings) {
  const { delivered, known, invoiceId } = arrival;
  const { now, customer } = surroundings;
  const { tenant_id, connection_id, customer_id } = customer;
  const merged = mergeInstallments(arrival, surroundings);
  const facts = {
    origin: "erp" as const,
    ...delivered.columns,
    customer_email: billingEmail({ ...customer, email: delivered.columns.customer_email }),
    retired_at: null,
    has_installments: known?.has_installments === true || merged.length > 0,
  };
  const parts = merged.map(({ row }) => row);
  const figures = collectionFigures(facts, parts, surroundings.payments, surroundings.chargeable);
  return {
    invoice: {
      ...facts,
      ...figures.invoice,
      ...searchColumns(facts.customer_name, facts.customer_number, facts.invoice_number),
      tenant_id,
      invoice_id: invoiceId,
      connection_id,
      erp_invoice_id: delivered.erpInvoiceId,
      customer_id,
      content_hash: delivered.contentHash,
      last_synced_at: now,
      missing_since: null,
      created_at: known?.created_at ?? now,
      updated_at: now,
    },
    installments: merged.flatMap(({ row, stored }, index) => {
      const written = { ...row, ...figures.installments[index] };
      return stored === undefined || differs(stored, written) ? [written] : [];
    }),
    needsNoTask: needsNoTask(facts, parts),
  };
}

/** An installment as it will be, beside what is stored of it; its figures are still to be derived. */
interface MergedInstallment {
  row: InstallmentRow;
  stored: InstallmentRow | undefined;
}

/**
 * The installments of an invoice after a delivery. One that was not delivered is removed, never deleted, and comes back
 * as itself when it is delivered again.
 */
function mergeInstallments(
  { delivered, invoiceId }: ArrivedInvoice,
  { installments: stored, customer, now, newId }: Surroundings,
): MergedInstallment[] {
  const byErpId = new Map(stored.map((row) => [row.erp_installment_id, row]));
  const present = delivered.installments.map((installment) => {
    const before = byErpId.get(installment.erp_installment_id);
    byErpId.delete(installment.erp_installment_id);
    const row: InstallmentRow = {
      ...(before ?? {
        tenant_id: customer.tenant_id,
        installment_id: newId(),
        invoice_id: invoiceId,
        collection_outstanding: "0",
        collectible: false,
        not_collectible_reason: "nothing_outstanding",
        created_at: now,
        withdrawn_by_person_at: null,
        withdrawn_by_person_amount: null,
      }),
      ...installment,
      removed_at: null,
    };
    return { row, stored: before };
  });
  const absent = byErpId.values().map((row) => ({ row: { ...row, removed_at: row.removed_at ?? now }, stored: row }));
  return [...present, ...absent];
}
