import { hash } from "node:crypto";
import type { BillingContact, ErpCustomer, ErpInvoice } from "../../../gateways/erp/gateway.ts";
import type { CustomerRow, InstallmentRow } from "../../../store/tables/invoices.ts";
import { collectionFigures } from "../../collection/collection-figures.ts";
import { isPlainDate } from "../../kernel/calendar.ts";
import { differs } from "../../kernel/differs.ts";
import { readEmailAddress } from "../../kernel/email-address.ts";
import { cleanText, searchColumns } from "../../kernel/text.ts";
import { needsNoTask } from "../../tasks/not-needed.ts";
import type { KnownInvoice } from "./deliver-queries.ts";

/** Stands for the ERP's customer id on invoices whose ERP record names no customer at all. */
export const NO_CUSTOMER = "none";

/**
 * What a customer of a connection is kept under (service.md §2.4): the ERP's id, else its account number, else one key for
 * all that names none. Never a name, which several may have.
 */
function erpCustomerKey({ erpCustomerId, number }: ErpCustomer) {
  if (erpCustomerId !== null) return erpCustomerId;
  const account = cleanText(number);
  return account === null ? NO_CUSTOMER : `number:${account}`;
}

/** An invoice as the ERP delivered it, ready to be compared with what is stored. */
type DeliveredInvoice = ReturnType<typeof deliveredInvoice>;

/**
 * Cleans what an ERP said of an invoice and of its customer's billing contact, so that it is safe to keep and show. The content
 * hash is equal when, and only when, all of it is.
 */
export function deliveredInvoice(
  invoice: ErpInvoice,
  contact: BillingContact | undefined,
  options: { readonly contactNames: boolean },
) {
  const content = {
    erpInvoiceId: invoice.erpInvoiceId,
    customerKey: erpCustomerKey(invoice.customer),
    columns: {
      invoice_number: cleanText(invoice.invoiceNumber),
      currency: currencyOf(invoice.currency),
      total_amount: invoice.totalAmount,
      erp_invoice_open_balance: invoice.openBalance,
      invoice_date: dateOf(invoice.invoiceDate),
      due_date: dateOf(invoice.dueDate),
      payment_terms: cleanText(invoice.paymentTerms),
      business_unit: cleanText(invoice.businessUnit),
      finalised: invoice.finalised,
      customer_number: cleanText(invoice.customer.number),
      customer_name: cleanText(invoice.customer.name),
      customer_site: cleanText(invoice.customer.site),
      contact_name: options.contactNames ? cleanText(contact?.contactName) : null,
      customer_email: cleanText(contact?.email, 320),
    },
    installments: invoice.installments.map((installment) => ({
      erp_installment_id: installment.erpInstallmentId,
      sequence_number: installment.sequenceNumber,
      due_date: dateOf(installment.dueDate),
      original_amount: installment.originalAmount,
      erp_outstanding: installment.outstanding,
      closed: installment.closed,
      disputed: installment.disputed,
      excluded: installment.excluded,
      closed_on: dateOf(installment.closedOn),
    })),
  };
  return { ...content, contentHash: hash("sha256", JSON.stringify(content), "base64url") };
}

/** A currency is exactly three letters (service.md §2.3); anything else is unknown. */
export function currencyOf(text: string | null) {
  const code = cleanText(text)?.toUpperCase() ?? "";
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

function dateOf(text: string | null) {
  return text !== null && isPlainDate(text) ? text : null;
}

/**
 * Where a customer's bills go: the workspace's own address for them, which wins over the ERP's (completions §7). What the ERP
 * has counts only where mail can be sent there.
 */
export function billingEmail({ email_override, email }: Pick<CustomerRow, "email_override" | "email">) {
  return email_override ?? readEmailAddress(email);
}

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
