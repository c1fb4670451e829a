import { hash } from "node:crypto";
import type { BillingContact, ErpInvoice } from "../../../gateways/erp/gateway.ts";
import { isPlainDate } from "../../kernel/calendar.ts";
import { cleanText } from "../../kernel/text.ts";
import { erpCustomerKey } from "./customer-key.ts";

/** An invoice as the ERP delivered it, ready to be compared with what is stored. */
export type DeliveredInvoice = ReturnType<typeof deliveredInvoice>;

/** The same for an installment. */
export type DeliveredInstallment = DeliveredInvoice["installments"][number];

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
function currencyOf(text: string | null): string | null {
  const code = cleanText(text)?.toUpperCase() ?? "";
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

function dateOf(text: string | null): string | null {
  return text !== null && isPlainDate(text) ? text : null;
}
